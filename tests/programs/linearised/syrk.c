// SYRK: C = alpha A transpose(A) + beta C, in two nests.
// sizes: -DN=53 -DM=21
// copies: 3
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Row j of A is used for j < M, so M must not be above N. */
#ifndef N
#define N 37
#endif
#ifndef M
#define M 35
#endif

void kernel_syrk(float alpha, float beta, float *A, float *C)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        for (int j = 0; j < M; j++) // loop: parallel
            C[i * M + j] *= beta;
    }

    for (int i = 0; i < N; i++) { // loop: parallel_if
        for (int j = 0; j < M; j++) { // loop: parallel_if
            for (int k = 0; k < M; k++) // loop: parallel_if, reduction(+:C[i * M + j])
                C[i * M + j] += alpha * A[i * M + k] * A[j * M + k];
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
    float *A = malloc(N * M * sizeof(float));
    float *C = malloc(N * M * sizeof(float));
    float *block = malloc((2 * N - 1) * M * sizeof(float));
    if (!A || !C || !block)
        return 1;

    fill(A, N * M, 5);
    fill(C, N * M, 3);
    kernel_syrk(3.0f, 2.0f, A, C);
    show("C", C, N * M);

    /* The last row of C is the first of A. */
    fill(block, (2 * N - 1) * M, 3);
    kernel_syrk(3.0f, 2.0f, block + (N - 1) * M, block);
    show("block", block, (2 * N - 1) * M);

    free(A);
    free(C);
    free(block);
    return 0;
}
