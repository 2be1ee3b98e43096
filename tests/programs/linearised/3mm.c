// 3MM: G = (A B) (C D) through E and F, matrices in linear arrays, all parameters restrict.
// sizes: -DNI=21 -DNJ=15 -DNK=33 -DNL=19 -DNM=13
// copies: 7
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
#ifndef NM
#define NM 33
#endif

void kernel_3mm(float *restrict A, float *restrict B, float *restrict C, float *restrict D, float *restrict E,
                float *restrict F, float *restrict G)
{
    /* E = A B */
    for (int i = 0; i < NI; i++) { // loop: parallel
        for (int j = 0; j < NJ; j++) { // loop: parallel
            E[i * NJ + j] = 0.0f;
            for (int k = 0; k < NK; ++k) // loop: parallel, reduction(+:E[i * NJ + j])
                E[i * NJ + j] += A[i * NK + k] * B[k * NJ + j];
        }
    }

    /* F = C D */
    for (int i = 0; i < NJ; i++) { // loop: parallel
        for (int j = 0; j < NL; j++) { // loop: parallel
            F[i * NL + j] = 0.0f;
            for (int k = 0; k < NM; ++k) // loop: parallel, reduction(+:F[i * NL + j])
                F[i * NL + j] += C[i * NM + k] * D[k * NL + j];
        }
    }

    /* G = E F */
    for (int i = 0; i < NI; i++) { // loop: parallel
        for (int j = 0; j < NL; j++) { // loop: parallel
            G[i * NL + j] = 0.0f;
            for (int k = 0; k < NJ; ++k) // loop: parallel, reduction(+:G[i * NL + j])
                G[i * NL + j] += E[i * NJ + k] * F[k * NL + j];
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
    float *C = malloc(NJ * NM * sizeof(float));
    float *D = malloc(NM * NL * sizeof(float));
    float *E = malloc(NI * NJ * sizeof(float));
    float *F = malloc(NJ * NL * sizeof(float));
    float *G = malloc(NI * NL * sizeof(float));
    if (!A || !B || !C || !D || !E || !F || !G)
        return 1;

    fill(A, NI * NK, 5);
    fill(B, NK * NJ, 3);
    fill(C, NJ * NM, 2);
    fill(D, NM * NL, 4);
    fill(E, NI * NJ, 1);
    fill(F, NJ * NL, 6);
    fill(G, NI * NL, 3);
    kernel_3mm(A, B, C, D, E, F, G);
    show("E", E, NI * NJ);
    show("F", F, NJ * NL);
    show("G", G, NI * NL);

    free(A);
    free(B);
    free(C);
    free(D);
    free(E);
    free(F);
    free(G);
    return 0;
}
