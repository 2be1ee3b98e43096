// COVARIANCE: the covariance matrix of m variables with n observations; variable-length array parameters.
// sizes: -DM=21 -DN=17
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* N is odd and no multiple of 5, and N - 1 a power of two: the observations of a variable are its mean and steps up and
   down from there, so means and covariances are exact. */
#ifndef M
#define M 27
#endif
#ifndef N
#define N 33
#endif
#define DATA double

static void kernel_covariance(int m, int n, DATA count, DATA data[n][m], DATA cov[m][m], DATA mean[m])
{
    for (int j = 0; j < m; j++) { // loop: parallel
        mean[j] = 0;
        for (int i = 0; i < n; i++) // loop: parallel, reduction(+:mean[j])
            mean[j] += data[i][j];
        mean[j] /= count;
    }

    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            data[i][j] -= mean[j];

    for (int i = 0; i < m; i++) { // loop: parallel
        for (int j = i; j < m; j++) { // loop: parallel
            cov[i][j] = 0;
            for (int k = 0; k < n; k++) // loop: parallel, reduction(+:cov[i][j])
                cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= count - 1;
            cov[j][i] = cov[i][j];
        }
    }
}

static void observe(int m, int n, DATA data[n][m])
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            data[i][j] = (DATA)(j % 7 - 3 + ((i * 5 + j) % n - n / 2) * (j % 3 - 1));
}

static void fill1(int n, DATA *a, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = (DATA)((i * step + i / 8) % 7 - 3);
}

static void fill2(int n, int m, DATA a[n][m], int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            a[i][j] = (DATA)((i * step + j * 3 + i / 8) % 7 - 3);
}

static void show1(const char *name, int n, const DATA *a)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

static void show2(const char *name, int n, int m, DATA a[n][m])
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        for (int j = 0; j < m; j++) // loop: parallel, reduction(+:sum)
            sum += (uint64_t)(int64_t)(a[i][j] * 4096.0) * (uint64_t)(2 * (i * m + j) + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0][0], a[n / 2][m / 3], a[n - 1][m - 1]);
}

int main(void)
{
    DATA(*data)[M] = malloc(sizeof(DATA[N][M]));
    DATA(*cov)[M] = malloc(sizeof(DATA[M][M]));
    DATA *mean = malloc(sizeof(DATA[M]));
    if (!data || !cov || !mean)
        return 1;

    observe(M, N, data);
    fill2(M, M, cov, 5);
    fill1(M, mean, 2);
    kernel_covariance(M, N, (DATA)N, data, cov, mean);
    show2("data", N, M, data);
    show1("mean", M, mean);
    show2("cov", M, M, cov);

    free(data);
    free(cov);
    free(mean);
    return 0;
}
