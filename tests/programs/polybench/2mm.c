// 2MM: D = alpha A B C + beta D; heap arrays through pointers to rows, a static kernel with two calls.
// sizes: -DNI=29 -DNJ=13 -DNK=37 -DNL=15
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NI
#define NI 17
#endif
#ifndef NJ
#define NJ 25
#endif
#ifndef NK
#define NK 21
#endif
#ifndef NL
#define NL 31
#endif
#define DATA double

static void kernel_2mm(DATA alpha, DATA beta, DATA (*tmp)[NJ], DATA (*A)[NK], DATA (*B)[NJ], DATA (*C)[NL], DATA (*D)[NL])
{
    for (int i = 0; i < NI; i++) { // loop: parallel
        for (int j = 0; j < NJ; j++) { // loop: parallel
            tmp[i][j] = 0;
            for (int k = 0; k < NK; ++k) // loop: parallel, reduction(+:tmp[i][j])
                tmp[i][j] += alpha * A[i][k] * B[k][j];
        }
    }

    for (int i = 0; i < NI; i++) { // loop: parallel
        for (int j = 0; j < NL; j++) { // loop: parallel
            D[i][j] *= beta;
            for (int k = 0; k < NJ; ++k) // loop: parallel, reduction(+:D[i][j])
                D[i][j] += tmp[i][k] * C[k][j];
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
    DATA(*tmp)[NJ] = malloc(NI * sizeof *tmp);
    DATA(*A)[NK] = malloc(NI * sizeof *A);
    DATA(*B)[NJ] = malloc(NK * sizeof *B);
    DATA(*C)[NL] = malloc(NJ * sizeof *C);
    DATA(*D)[NL] = malloc(NI * sizeof *D);
    DATA(*E)[NL] = malloc(NI * sizeof *E);
    if (!tmp || !A || !B || !C || !D || !E)
        return 1;

    fill2(NI, NJ, tmp, 5);
    fill2(NI, NK, A, 2);
    fill2(NK, NJ, B, 4);
    fill2(NJ, NL, C, 1);
    fill2(NI, NL, D, 6);
    fill2(NI, NL, E, 5);
    kernel_2mm(1.5, 2, tmp, A, B, C, D);
    show2("tmp", NI, NJ, tmp);
    show2("D", NI, NL, D);
    kernel_2mm(-1, 0.5, tmp, A, B, C, E);
    show2("tmp", NI, NJ, tmp);
    show2("E", NI, NL, E);

    free(tmp);
    free(A);
    free(B);
    free(C);
    free(D);
    free(E);
    return 0;
}
