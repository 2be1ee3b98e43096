// COVAR: the covariance matrix of M variables with N observations, in three nests, subscripts from 1.
// sizes: -DM=21 -DN=16
// copies: 5
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* N is a power of two, so that the means are exact. */
#ifndef M
#define M 35
#endif
#ifndef N
#define N 32
#endif
#define FLOAT_N ((float)N)

void kernel_covar(float *data, float *mean, float *symmat)
{
    /* Means of the columns. */
    for (int j = 1; j < M + 1; j++) { // loop: parallel_if
        mean[j] = 0.0f;
        for (int i = 1; i < N + 1; i++) // loop: parallel_if, reduction(+:mean[j])
            mean[j] += data[i * (M + 1) + j];
        mean[j] /= FLOAT_N;
    }

    /* Centre. */
    for (int i = 1; i < N + 1; i++) { // loop: parallel_if
        for (int j = 1; j < M + 1; j++) // loop: parallel_if
            data[i * (M + 1) + j] -= mean[j];
    }

    /* The covariance matrix: the upper triangle, and its mirror image. */
    for (int j1 = 1; j1 < M + 1; j1++) { // loop: parallel_if
        for (int j2 = j1; j2 < M + 1; j2++) { // loop: parallel_if
            symmat[j1 * (M + 1) + j2] = 0.0f;
            for (int i = 1; i < N + 1; i++) // loop: parallel_if, reduction(+:symmat[j1 * (M + 1) + j2])
                symmat[j1 * (M + 1) + j2] += data[i * (M + 1) + j1] * data[i * (M + 1) + j2];
            symmat[j2 * (M + 1) + j1] = symmat[j1 * (M + 1) + j2];
        }
    }
}

static void fill(float *a, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = (float)((i * step + i / 16) % 7 - 3);
}

static void show(const char *name, const float *a, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

int main(void)
{
    float *data = malloc((N + 1) * (M + 1) * sizeof(float));
    float *mean = malloc((M + 1) * sizeof(float));
    float *symmat = malloc((M + 1) * (M + 1) * sizeof(float));
    if (!data || !mean || !symmat)
        return 1;

    fill(data, (N + 1) * (M + 1), 5);
    fill(mean, M + 1, 3);
    fill(symmat, (M + 1) * (M + 1), 2);
    kernel_covar(data, mean, symmat);
    show("data", data, (N + 1) * (M + 1));
    show("mean", mean, M + 1);
    show("symmat", symmat, (M + 1) * (M + 1));

    /* Row 0 of data is never used: the means fit there, and nothing overlaps. */
    fill(data, (N + 1) * (M + 1), 4);
    kernel_covar(data, data, symmat);
    show("mean in row 0", data, (N + 1) * (M + 1));
    show("symmat", symmat, (M + 1) * (M + 1));

    /* The means take the place of the first observation. */
    fill(data, (N + 1) * (M + 1), 5);
    kernel_covar(data, data + (M + 1), symmat);
    show("mean in row 1", data, (N + 1) * (M + 1));
    show("symmat", symmat, (M + 1) * (M + 1));

    free(data);
    free(mean);
    free(symmat);
    return 0;
}
