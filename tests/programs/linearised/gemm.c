// GEMM: C = alpha A B + beta C, matrices in linear arrays.
// sizes: -DNI=21 -DNJ=53 -DNK=33
// copies: 4
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NI
#define NI 35
#endif
#ifndef NJ
#define NJ 37
#endif
#ifndef NK
#define NK 31
#endif

void kernel_gemm(float alpha, float beta, float *A, float *B, float *C)
{
    for (int i = 0; i < NI; i++) { // loop: parallel_if
        for (int j = 0; j < NJ; j++) { // loop: parallel_if
            C[i * NJ + j] *= beta; // read C[0 .. NI*NJ-1], write C[0 .. NI*NJ-1]
            for (int k = 0; k < NK; k++) { // loop: parallel_if, reduction(+:C[i * NJ + j])
                C[i * NJ + j] += alpha * A[i * NK + k] * B[k * NJ + j]; // read A[0 .. NI*NK-1], read B[0 .. NK*NJ-1]
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
    float *A = malloc(NI * NK * sizeof(float));
    float *B = malloc(NK * NJ * sizeof(float));
    float *C = malloc(NI * NJ * sizeof(float));
    float *block = malloc((NK + NI - 1) * NJ * sizeof(float));
    if (!A || !B || !C || !block)
        return 1;

    fill(A, NI * NK, 5);
    fill(B, NK * NJ, 3);
    fill(C, NI * NJ, 2);
    kernel_gemm(3.0f, 2.0f, A, B, C);
    show("C", C, NI * NJ);

    /* The last row of B is the first of C. */
    fill(block, (NK + NI - 1) * NJ, 3);
    kernel_gemm(3.0f, 2.0f, A, block, block + (NK - 1) * NJ);
    show("block", block, (NK + NI - 1) * NJ);

    free(A);
    free(B);
    free(C);
    free(block);
    return 0;
}
