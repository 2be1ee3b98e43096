// TRMM: B = alpha A^T B with A unit lower triangular, in place; arrays of main, handed down.
// sizes: -DM=13 -DN=37
// variants: long
#include <stdint.h>
#include <stdio.h>

#ifndef M
#define M 21
#endif
#ifndef N
#define N 25
#endif
#define DATA double
#define LOOP_BOUND(size, parameter) size
#define BOUND_M LOOP_BOUND(M, m)
#define BOUND_N LOOP_BOUND(N, n)

static void kernel_trmm(DATA alpha, DATA A[M][M], DATA B[M][N])
{
    for (int i = 0; i < BOUND_M; i++) { // loop: sequential, pair(+3 B[i][j], +3 B[k][j]), because later iterations overwrite the rows that row i reads
        for (int j = 0; j < BOUND_N; j++) { // loop: parallel
            for (int k = i + 1; k < BOUND_M; k++) // loop: parallel, reduction(+:B[i][j])
                B[i][j] += A[k][i] * B[k][j];
            B[i][j] = alpha * B[i][j];
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
    DATA A[M][M];
    DATA B[M][N];

    fill2(M, M, A, 2);
    fill2(M, N, B, 4);
    kernel_trmm(1.5, A, B);
    show2("B", M, N, B);
    return 0;
}
