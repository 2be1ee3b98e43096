// SEIDEL-2D: the mean of nine neighbours, in place; no loop is parallel.
// sizes: -DN=29 -DTSTEPS=2
// variants: long
#include <stdint.h>
#include <stdio.h>

/* Whole numbers: a mean is rounded towards zero. */
#ifndef N
#define N 21
#endif
#ifndef TSTEPS
#define TSTEPS 3
#endif
#define DATA int

static void kernel_seidel_2d(int steps, int n, DATA A[n][n])
{
    for (int t = 0; t <= steps - 1; t++) // loop: sequential, pair(+3 A[i][j], +3 A[i][j]), because every step uses the values of the step before
        for (int i = 1; i <= n - 2; i++) // loop: sequential, pair(+2 A[i][j], +2 A[i - 1][j]), because row i uses the new row before it
            for (int j = 1; j <= n - 2; j++) // loop: sequential, pair(+1 A[i][j], +1 A[i][j - 1]), because A[i][j] uses the new A[i][j - 1]
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1]
                    + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9;
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
    DATA A[N][N];

    for (int i = 0; i < N; i++) // loop: parallel
        for (int j = 0; j < N; j++) // loop: parallel
            A[i][j] = (i * 23 + j * 37) % 101 - 50;
    show2("before", N, N, A);
    kernel_seidel_2d(TSTEPS, N, A);
    show2("after", N, N, A);
    return 0;
}
