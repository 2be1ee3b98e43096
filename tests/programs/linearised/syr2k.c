// SYR2K: C += alpha A transpose(B) + alpha B transpose(A), in a static function that is called with three distinct arrays.
// sizes: -DN=53 -DM=21
// copies: 4
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef M
#define M 35
#endif

static void kernel_syr2k(float alpha, float beta, float *A, float *B, float *C)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        for (int j = 0; j < N; j++) { // loop: parallel
            C[i * N + j] *= beta;
            for (int k = 0; k < M; k++) { // loop: parallel, reduction(+:C[i * N + j])
                C[i * N + j] += alpha * A[i * M + k] * B[j * M + k];
                C[i * N + j] += alpha * B[i * M + k] * A[j * M + k];
            }
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
    float *B = malloc(N * M * sizeof(float));
    float *C = malloc(N * N * sizeof(float));
    if (!A || !B || !C)
        return 1;

    fill(A, N * M, 5);
    fill(B, N * M, 3);
    fill(C, N * N, 2);
    kernel_syr2k(3.0f, 2.0f, A, B, C);
    show("C", C, N * N);

    free(A);
    free(B);
    free(C);
    return 0;
}
