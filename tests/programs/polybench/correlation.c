// CORRELATION: the correlation matrix of M variables with N observations; arrays of main, handed down.
// sizes: -DM=21 -DN=16
// libraries: m
// variants: long
#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* Every variable is its mean plus and minus a power of two, equally often, and N is a power of four: means, deviations
   and correlations are exact. */
#ifndef M
#define M 27
#endif
#ifndef N
#define N 64
#endif
#define DATA double
#define FLOAT_N ((DATA)N)
#define EPS 0.125

static void kernel_correlation(DATA data[N][M], DATA corr[M][M], DATA mean[M], DATA stddev[M])
{
    for (int j = 0; j < M; j++) { // loop: parallel
        mean[j] = 0;
        for (int i = 0; i < N; i++) // loop: parallel, reduction(+:mean[j])
            mean[j] += data[i][j];
        mean[j] /= FLOAT_N;
    }

    /* A constant column gets deviation 1. */
    for (int j = 0; j < M; j++) { // loop: parallel
        stddev[j] = 0;
        for (int i = 0; i < N; i++) // loop: parallel, reduction(+:stddev[j])
            stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] = sqrt(stddev[j] / FLOAT_N);
        if (stddev[j] <= EPS)
            stddev[j] = 1;
    }

    for (int i = 0; i < N; i++) { // loop: parallel
        for (int j = 0; j < M; j++) { // loop: parallel
            data[i][j] -= mean[j];
            data[i][j] /= sqrt(FLOAT_N) * stddev[j];
        }
    }

    /* The upper triangle, and its mirror image. */
    for (int i = 0; i < M - 1; i++) { // loop: parallel
        corr[i][i] = 1;
        for (int j = i + 1; j < M; j++) { // loop: parallel
            corr[i][j] = 0;
            for (int k = 0; k < N; k++) // loop: parallel, reduction(+:corr[i][j])
                corr[i][j] += data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
    corr[M - 1][M - 1] = 1;
}

static void observe(DATA data[N][M])
{
    for (int i = 0; i < N; i++) // loop: parallel
        for (int j = 0; j < M; j++) // loop: parallel
            data[i][j] = j % 5 == 4 ? 3 : (DATA)(j % 7 - 3 + ((i + 3 * j) % N < N / 2 ? 1 : -1) * (1 << j % 4));
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
    DATA data[N][M], corr[M][M], mean[M], stddev[M];

    observe(data);
    fill2(M, M, corr, 5);
    fill1(M, mean, 2);
    fill1(M, stddev, 4);
    kernel_correlation(data, corr, mean, stddev);
    show2("data", N, M, data);
    show1("mean", M, mean);
    show1("stddev", M, stddev);
    show2("corr", M, M, corr);
    return 0;
}
