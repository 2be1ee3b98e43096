// CHOLESKY: A = L L^T in place, in the lower triangle; heap array through a pointer to rows.
// sizes: -DN=29
// libraries: m
// variants: long
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* L is an integer triangle whose diagonal holds powers of two, so roots and quotients are exact. */
#ifndef N
#define N 21
#endif
#define DATA double

static void kernel_cholesky(int n, DATA (*A)[N])
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 A[i][j], +3 A[j][k]), because row i uses the rows before it
        for (int j = 0; j < i; j++) { // loop: sequential, pair(+2 A[i][j], +2 A[i][k]), because A[i][j] uses the elements before it
            for (int k = 0; k < j; k++) // loop: parallel, reduction(+:A[i][j])
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++) // loop: parallel, reduction(+:A[i][i])
            A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = sqrt(A[i][i]);
    }
}

static int factor(int i, int j)
{
    return j > i ? 0 : j == i ? 1 << i % 3 : (i * 2 + j * 5) % 5 - 2;
}

/* The upper triangle holds what must not change. */
static void matrix(DATA (*A)[N])
{
    for (int i = 0; i < N; i++) { // loop: parallel
        for (int j = 0; j < N; j++) { // loop: parallel
            int terms = j > i ? 0 : N;
            int sum = j > i ? i - 2 * j : 0;
            for (int k = 0; k < terms; k++) // loop: parallel, reduction(+:sum)
                sum += factor(i, k) * factor(j, k);
            A[i][j] = (DATA)sum;
        }
    }
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
    DATA(*A)[N] = malloc(sizeof(DATA[N][N]));
    if (!A)
        return 1;

    matrix(A);
    show2("A", N, N, A);
    kernel_cholesky(N, A);
    show2("L", N, N, A);

    free(A);
    return 0;
}
