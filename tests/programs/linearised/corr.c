// CORR: the correlation matrix of M variables with N observations, in four nests, subscripts from 1.
// sizes: -DM=21 -DN=16
// copies: 6
// libraries: m
// variants: long split
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Every variable is its mean plus and minus a power of two, equally often, and N is a power of four: means, deviations
   and correlations are exact. */
#ifndef M
#define M 35
#endif
#ifndef N
#define N 64
#endif
#define FLOAT_N ((float)N)
#define EPS 0.005f

void kernel_corr(float *data, float *mean, float *stddev, float *symmat)
{
    /* Means of the columns. */
    for (int j = 1; j < M + 1; j++) { // loop: parallel_if
        mean[j] = 0.0f;
        for (int i = 1; i < N + 1; i++) // loop: parallel_if, reduction(+:mean[j])
            mean[j] += data[i * (M + 1) + j]; // read data[M+2 .. (N+1)*(M+1)-1], write mean[1 .. M]
        mean[j] /= FLOAT_N;
    }

    /* Deviations; a constant column gets 1. */
    for (int j = 1; j < M + 1; j++) { // loop: parallel_if
        stddev[j] = 0.0f;
        for (int i = 1; i < N + 1; i++) // loop: parallel_if, reduction(+:stddev[j])
            stddev[j] += (data[i * (M + 1) + j] - mean[j]) * (data[i * (M + 1) + j] - mean[j]);
        stddev[j] /= FLOAT_N;
        stddev[j] = sqrtf(stddev[j]);
        stddev[j] = stddev[j] <= EPS ? 1.0f : stddev[j];
    }

    /* Centre and scale. */
    for (int i = 1; i < N + 1; i++) { // loop: parallel_if
        for (int j = 1; j < M + 1; j++) { // loop: parallel_if
            data[i * (M + 1) + j] -= mean[j];
            data[i * (M + 1) + j] /= sqrtf(FLOAT_N) * stddev[j];
        }
    }

    /* The correlation matrix: the upper triangle, and its mirror image. */
    for (int j1 = 1; j1 < M; j1++) { // loop: parallel_if
        symmat[j1 * (M + 1) + j1] = 1.0f;
        for (int j2 = j1 + 1; j2 < M + 1; j2++) { // loop: parallel_if
            symmat[j1 * (M + 1) + j2] = 0.0f;
            for (int i = 1; i < N + 1; i++) // loop: parallel_if, reduction(+:symmat[j1 * (M + 1) + j2])
                symmat[j1 * (M + 1) + j2] += data[i * (M + 1) + j1] * data[i * (M + 1) + j2];
            symmat[j2 * (M + 1) + j1] = symmat[j1 * (M + 1) + j2]; // write symmat[2*(M+1)+1 .. M*(M+1)+M-1]
        }
    }
    symmat[M * (M + 1) + M] = 1.0f;
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

static void observe(float *data)
{
    for (int i = 0; i < N + 1; i++) { // loop: parallel
        for (int j = 0; j < M + 1; j++) // loop: parallel
            data[i * (M + 1) + j] = (float)(j % 7 - 3 + ((i + 3 * j) % N < N / 2 ? 1 : -1) * (1 << j % 4));
    }
}

int main(void)
{
    float *data = malloc((N + 1) * (M + 1) * sizeof(float));
    float *mean = malloc((M + 1) * sizeof(float));
    float *stddev = malloc((M + 1) * sizeof(float));
    float *symmat = malloc((M + 1) * (M + 1) * sizeof(float));
    if (!data || !mean || !stddev || !symmat)
        return 1;

    observe(data);
    fill(mean, M + 1, 3);
    fill(stddev, M + 1, 4);
    fill(symmat, (M + 1) * (M + 1), 5);
    kernel_corr(data, mean, stddev, symmat);
    show("data", data, (N + 1) * (M + 1));
    show("mean", mean, M + 1);
    show("stddev", stddev, M + 1);
    show("symmat", symmat, (M + 1) * (M + 1));

    /* Row 0 of data is never used: the means fit there, and nothing overlaps. */
    observe(data);
    kernel_corr(data, data, stddev, symmat);
    show("mean in row 0", data, (N + 1) * (M + 1));
    show("symmat", symmat, (M + 1) * (M + 1));

    /* The means take the place of the first observation. */
    observe(data);
    kernel_corr(data, data + (M + 1), stddev, symmat);
    show("mean in row 1", data, (N + 1) * (M + 1));
    show("symmat", symmat, (M + 1) * (M + 1));

    free(data);
    free(mean);
    free(stddev);
    free(symmat);
    return 0;
}
