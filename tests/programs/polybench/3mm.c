// 3MM: G = (A B) (C D); arrays of the file, nothing handed to the kernel.
// sizes: -DNI=29 -DNJ=13 -DNK=37 -DNL=15 -DNM=19
// variants: long split
#include <stdint.h>
#include <stdio.h>

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
#ifndef NM
#define NM 13
#endif
#define DATA double

static DATA A[NI][NK], B[NK][NJ], C[NJ][NM], D[NM][NL];
static DATA E[NI][NJ];
static DATA F[NJ][NL];
static DATA G[NI][NL];

void kernel_3mm(void)
{
    for (int i = 0; i < NI; i++) { // loop: parallel
        for (int j = 0; j < NJ; j++) { // loop: parallel
            E[i][j] = 0;
            for (int k = 0; k < NK; k++) // loop: parallel, reduction(+:E[i][j])
                E[i][j] += A[i][k] * B[k][j];
        }
    }

    for (int i = 0; i < NJ; i++) { // loop: parallel
        for (int j = 0; j < NL; j++) { // loop: parallel
            F[i][j] = 0;
            for (int k = 0; k < NM; k++) // loop: parallel, reduction(+:F[i][j])
                F[i][j] += C[i][k] * D[k][j];
        }
    }

    for (int i = 0; i < NI; i++) { // loop: parallel
        for (int j = 0; j < NL; j++) { // loop: parallel
            G[i][j] = 0;
            for (int k = 0; k < NJ; k++) // loop: parallel, reduction(+:G[i][j])
                G[i][j] += E[i][k] * F[k][j];
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
    fill2(NI, NK, A, 1);
    fill2(NK, NJ, B, 2);
    fill2(NJ, NM, C, 4);
    fill2(NM, NL, D, 5);
    fill2(NI, NJ, E, 6);
    fill2(NJ, NL, F, 1);
    fill2(NI, NL, G, 2);
    kernel_3mm();
    show2("E", NI, NJ, E);
    show2("F", NJ, NL, F);
    show2("G", NI, NL, G);
    return 0;
}
