// DOITGEN: every row of a three-dimensional array times a matrix, with the row kept in an array of its own.
// sizes: -DNR=13 -DNQ=7 -DNP=21
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NR
#define NR 9
#endif
#ifndef NQ
#define NQ 11
#endif
#ifndef NP
#define NP 17
#endif
#define DATA double

/* The row is the kernel's own array: every iteration writes it before it reads it. */
static void kernel_doitgen(DATA (*A)[NQ][NP], DATA (*C4)[NP])
{
    DATA sum[NP];

    for (int r = 0; r < NR; r++) { // loop: parallel, private(sum)
        for (int q = 0; q < NQ; q++) { // loop: parallel, private(sum)
            for (int p = 0; p < NP; p++) { // loop: parallel
                sum[p] = 0;
                for (int s = 0; s < NP; s++) // loop: parallel, reduction(+:sum[p])
                    sum[p] += A[r][q][s] * C4[s][p];
            }
            for (int p = 0; p < NP; p++) // loop: parallel
                A[r][q][p] = sum[p];
        }
    }
}

/* The row belongs to the caller, who sees what the last iteration left in it. */
static void kernel_doitgen_shared(DATA (*A)[NQ][NP], DATA (*C4)[NP], DATA *sum)
{
    for (int r = 0; r < NR; r++) { // loop: sequential, pair(+3 sum[p], +3 sum[p]), because all iterations use the same sum
        for (int q = 0; q < NQ; q++) { // loop: sequential, pair(+2 sum[p], +2 sum[p]), because all iterations use the same sum
            for (int p = 0; p < NP; p++) { // loop: parallel
                sum[p] = 0;
                for (int s = 0; s < NP; s++) // loop: parallel, reduction(+:sum[p])
                    sum[p] += A[r][q][s] * C4[s][p];
            }
            for (int p = 0; p < NP; p++) // loop: parallel
                A[r][q][p] = sum[p];
        }
    }
}

static void fill3(DATA (*a)[NQ][NP])
{
    for (int i = 0; i < NR; i++) // loop: parallel
        for (int j = 0; j < NQ; j++) // loop: parallel
            for (int k = 0; k < NP; k++) // loop: parallel
                a[i][j][k] = (DATA)((i * 5 + j * 2 + k * 3 + i * j) % 7 - 3);
}

static void fill1(int n, DATA *a, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = (DATA)((i * step + i / 8) % 7 - 3);
}

static void fill2(int n, int m, DATA a[n][m], int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            a[i][j] = (DATA)((i * step + j * 3 + i / 8) % 7 - 3);
}

static void show1(const char *name, int n, const DATA *a)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
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
    DATA(*A)[NQ][NP] = malloc(sizeof(DATA[NR][NQ][NP]));
    DATA(*C4)[NP] = malloc(sizeof(DATA[NP][NP]));
    DATA *sum = malloc(sizeof(DATA[NP]));
    if (!A || !C4 || !sum)
        return 1;

    fill3(A);
    fill2(NP, NP, C4, 2);
    kernel_doitgen(A, C4);
    show2("A[0]", NQ, NP, A[0]);
    show2("A", NR * NQ, NP, A[0]);

    fill1(NP, sum, 3);
    kernel_doitgen_shared(A, C4, sum);
    show2("A", NR * NQ, NP, A[0]);
    show1("sum", NP, sum);

    free(A);
    free(C4);
    free(sum);
    return 0;
}
