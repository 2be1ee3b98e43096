// ATAX: y = A^T (A x); pointers to rows that may overlap the vectors.
// sizes: -DM=15 -DN=37
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef M
#define M 31
#endif
#ifndef N
#define N 21
#endif
#define DATA float

void kernel_atax(DATA (*A)[N], DATA *x, DATA *y, DATA *tmp)
{
    for (int i = 0; i < N; i++) // loop: parallel
        y[i] = 0;

    for (int i = 0; i < M; i++) { // loop: parallel_if, section(+:y)
        tmp[i] = 0;
        for (int j = 0; j < N; j++) // loop: parallel_if, reduction(+:tmp[i])
            tmp[i] += A[i][j] * x[j];
        for (int j = 0; j < N; j++) // loop: parallel_if
            y[j] += A[i][j] * tmp[i];
    }
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
    DATA(*A)[N] = malloc(sizeof(DATA[M][N]));
    DATA *x = malloc(N * sizeof(DATA));
    DATA *y = malloc(N * sizeof(DATA));
    DATA *tmp = malloc(M * sizeof(DATA));
    DATA *block = malloc((M + N - 1) * sizeof(DATA));
    if (!A || !x || !y || !tmp || !block)
        return 1;

    fill2(M, N, A, 2);
    fill1(N, x, 3);
    fill1(N, y, 5);
    fill1(M, tmp, 4);
    kernel_atax(A, x, y, tmp);
    show1("y", N, y);
    show1("tmp", M, tmp);

    /* The vector is the last row of A, and y the first: it is cleared before it is used. */
    kernel_atax(A, A[M - 1], A[0], tmp);
    show1("tmp", M, tmp);
    show2("A", M, N, A);

    /* The last element of tmp is the first of x. */
    fill1(M + N - 1, block, 3);
    kernel_atax(A, block + M - 1, y, block);
    show1("block", M + N - 1, block);
    show1("y", N, y);

    free(A);
    free(x);
    free(y);
    free(tmp);
    free(block);
    return 0;
}
