// JACOBI-2D: the mean of five neighbours, there and back; pointers to rows that may overlap.
// sizes: -DN=29 -DTSTEPS=2
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Whole numbers: a mean is rounded towards zero. */
#ifndef N
#define N 21
#endif
#ifndef TSTEPS
#define TSTEPS 3
#endif
#define DATA int

void kernel_jacobi_2d(DATA (*A)[N], DATA (*B)[N])
{
    for (int t = 0; t < TSTEPS; t++) { // loop: sequential, pair(+3 B[i][j], +3 B[i][j]), because every step uses the values of the step before
        for (int i = 1; i < N - 1; i++) // loop: parallel_if
            for (int j = 1; j < N - 1; j++) // loop: parallel_if
                B[i][j] = (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]) / 5;
        for (int i = 1; i < N - 1; i++) // loop: parallel_if
            for (int j = 1; j < N - 1; j++) // loop: parallel_if
                A[i][j] = (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]) / 5;
    }
}

static void fill(int n, DATA (*a)[N], int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < N; j++) // loop: parallel
            a[i][j] = (i * step + j * 37) % 101 - 50;
}

static void show2(const char *name, int n, int m, DATA a[n][m])
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        for (int j = 0; j < m; j++) // loop: parallel, reduction(+:sum)
            sum += (uint64_t)(int64_t)(a[i][j] * 4096) * (uint64_t)(2 * (i * m + j) + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, a[0][0], a[n / 2][m / 3], a[n - 1][m - 1]);
}

int main(void)
{
    DATA(*A)[N] = malloc(N * sizeof *A);
    DATA(*B)[N] = malloc(N * sizeof *B);
    DATA(*block)[N] = malloc((N + 1) * sizeof *block);
    if (!A || !B || !block)
        return 1;

    fill(N, A, 23);
    fill(N, B, 41);
    kernel_jacobi_2d(A, B);
    show2("A", N, N, A);
    show2("B", N, N, B);

    /* B is A moved by a row. */
    fill(N + 1, block, 23);
    kernel_jacobi_2d(block, block + 1);
    show2("block", N + 1, N, block);

    /* Both are one array. */
    kernel_jacobi_2d(A, A);
    show2("A", N, N, A);

    free(A);
    free(B);
    free(block);
    return 0;
}
