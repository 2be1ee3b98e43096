// 2MM: E = (A B) D through C, matrices in linear arrays.
// sizes: -DNI=21 -DNJ=53 -DNK=33 -DNL=19
// copies: 5
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
#ifndef NL
#define NL 29
#endif

void kernel_2mm(float *A, float *B, float *C, float *D, float *E)
{
    for (int i = 0; i < NI; i++) { // loop: parallel_if
        for (int j = 0; j < NJ; j++) { // loop: parallel_if
            C[i * NJ + j] = 0.0f;
            for (int k = 0; k < NK; ++k) // loop: parallel_if, reduction(+:C[i * NJ + j])
                C[i * NJ + j] += A[i * NK + k] * B[k * NJ + j];
        }
    }

    for (int i = 0; i < NI; i++) { // loop: parallel_if
        for (int j = 0; j < NL; j++) { // loop: parallel_if
            E[i * NL + j] = 0.0f;
            for (int k = 0; k < NJ; ++k) // loop: parallel_if, reduction(+:E[i * NL + j])
                E[i * NL + j] += C[i * NJ + k] * D[k * NL + j];
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
    float *D = malloc(NJ * NL * sizeof(float));
    float *E = malloc(NI * NL * sizeof(float));
    float *block = malloc((NK + NI - 1) * NJ * sizeof(float));
    if (!A || !B || !C || !D || !E || !block)
        return 1;

    fill(A, NI * NK, 5);
    fill(B, NK * NJ, 3);
    fill(C, NI * NJ, 1);
    fill(D, NJ * NL, 2);
    fill(E, NI * NL, 4);
    kernel_2mm(A, B, C, D, E);
    show("C", C, NI * NJ);
    show("E", E, NI * NL);

    /* The last row of B is the first of C. */
    fill(block, (NK + NI - 1) * NJ, 3);
    kernel_2mm(A, block, block + (NK - 1) * NJ, D, E);
    show("block", block, (NK + NI - 1) * NJ);
    show("E", E, NI * NL);

    free(A);
    free(B);
    free(C);
    free(D);
    free(E);
    free(block);
    return 0;
}
