// corr: row means and deviations, the example of figure 8 of the DawnCC paper.
// sizes: -DM=21 -DN=53
// copies: 5
// libraries: m
// variants: long split
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Every row is its base value plus multiples of one step that add up to zero for odd N: means and sums are integers. */
#ifndef M
#define M 35
#endif
#ifndef N
#define N 37
#endif

void kernel_corr(float *A, float *MEAN, float *STDEV, int m, int n)
{
    for (int i = 0; i < m; i++) { // loop: parallel_if
        for (int j = 0; j < n; j++) { // loop: parallel_if, reduction(+:MEAN[i])
            MEAN[i] += A[i * n + j]; // read A[0 .. m*n-1], read MEAN[0 .. m-1], write MEAN[0 .. m-1]
        }
        MEAN[i] /= n;
    }

    for (int i = 0; i < m; i++) { // loop: parallel_if
        for (int j = 0; j < n; j++) { // loop: parallel_if, reduction(+:STDEV[i])
            STDEV[i] += (A[i * n + j] - MEAN[i]) * (A[i * n + j] - MEAN[i]); // read A[0 .. m*n-1], read MEAN[0 .. m-1], write STDEV[0 .. m-1]
        }
        STDEV[i] = sqrt(STDEV[i] / n);
    }
}

static void show(const char *name, const float *a, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

static void fill(float *A, float *MEAN, float *STDEV)
{
    for (int i = 0; i < M; i++) { // loop: parallel
        for (int j = 0; j < N; j++) // loop: parallel
            A[i * N + j] = (float)((i % 9 - 4) + (j - (N - 1) / 2) * (i % 3 + 1));
        MEAN[i] = 0.0f;
        STDEV[i] = 0.0f;
    }
}

int main(void)
{
    float *A = malloc(M * N * sizeof(float));
    float *MEAN = malloc(M * sizeof(float));
    float *STDEV = malloc(M * sizeof(float));
    if (!A || !MEAN || !STDEV)
        return 1;

    fill(A, MEAN, STDEV);
    kernel_corr(A, MEAN, STDEV, M, N);
    show("MEAN", MEAN, M);
    show("STDEV", STDEV, M);
    kernel_corr(A, MEAN, STDEV, 0, N);
    kernel_corr(A, MEAN, STDEV, -2, N);
    show("MEAN, m <= 0", MEAN, M);

    /* The means are stored in the first row of the matrix itself. */
    fill(A, MEAN, STDEV);
    kernel_corr(A, A, STDEV, 1, 1);
    show("one by one", A, N);
    fill(A, MEAN, STDEV);
    kernel_corr(A, A, STDEV, 3, 16);
    show("MEAN in A", A, M * N);
    show("STDEV", STDEV, M);

    free(A);
    free(MEAN);
    free(STDEV);
    return 0;
}
