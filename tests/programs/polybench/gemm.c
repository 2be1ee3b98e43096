// GEMM: C = alpha A B + beta C; variable-length array parameters, loops by a macro.
// sizes: -DNI=15 -DNJ=37 -DNK=21
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NI
#define NI 25
#endif
#ifndef NJ
#define NJ 17
#endif
#ifndef NK
#define NK 31
#endif
#define DATA float
#define FOR(i, low, high) for (int i = (low); i < (high); i++)

static void kernel_gemm(int ni, int nj, int nk, DATA alpha, DATA beta, DATA C[ni][nj], DATA A[ni][nk], DATA B[nk][nj])
{
    FOR(i, 0, ni) { // loop: parallel
        FOR(j, 0, nj) // loop: parallel
            C[i][j] *= beta;
        FOR(k, 0, nk) { // loop: parallel, section(+:C)
            FOR(j, 0, nj) // loop: parallel
                C[i][j] += alpha * A[i][k] * B[k][j];
        }
    }
}

static void fill2(int n, int m, DATA a[n][m], int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            a[i][j] = (DATA)((i * step + j * 3 + i / 8) % 7 - 3);
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
    DATA(*A)[NK] = malloc(sizeof(DATA[NI][NK]));
    DATA(*B)[NJ] = malloc(sizeof(DATA[NK][NJ]));
    DATA(*C)[NJ] = malloc(sizeof(DATA[NI][NJ]));
    if (!A || !B || !C)
        return 1;

    fill2(NI, NK, A, 2);
    fill2(NK, NJ, B, 4);
    fill2(NI, NJ, C, 5);
    kernel_gemm(NI, NJ, NK, 1.5f, 2.0f, C, A, B);
    show2("C", NI, NJ, C);

    free(A);
    free(B);
    free(C);
    return 0;
}
