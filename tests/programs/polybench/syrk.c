// SYRK: C = alpha A A^T + beta C, the lower triangle; arrays of the file, bounds by macros that take a parameter.
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
#define DATA float
#define LOOP_BOUND(size, parameter) (parameter)
#define BOUND_N LOOP_BOUND(N, n)
#define BOUND_M LOOP_BOUND(M, m)

static DATA A[N][M];
static DATA C[N][N];

static void kernel_syrk(int n, int m, DATA alpha, DATA beta)
{
    for (int i = 0; i < BOUND_N; i++) { // loop: parallel
        for (int j = 0; j <= i; j++) // loop: parallel
            C[i][j] *= beta;
        for (int j = 0; j <= i; j++) // loop: parallel
            for (int k = 0; k < BOUND_M; k++) // loop: parallel, reduction(+:C[i][j])
                C[i][j] += alpha * A[i][k] * A[j][k];
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
    fill2(N, M, A, 2);
    fill2(N, N, C, 5);
    kernel_syrk(N, M, 1.5f, 2.0f);
    show2("C", N, N, C);
    return 0;
}
