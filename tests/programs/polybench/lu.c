// LU: A = L U in place without pivoting; an array of the file.
// sizes: -DN=29
// variants: long split
#include <stdint.h>
#include <stdio.h>

/* L is unit lower triangular, U upper triangular with powers of two on the diagonal, both of integers: quotients are exact. */
#ifndef N
#define N 21
#endif
#define DATA double

static DATA A[N][N];

void kernel_lu(void)
{
    for (int i = 0; i < N; i++) { // loop: sequential, pair(+8 A[i][j], +3 A[k][j]), because row i uses the rows before it
        for (int j = 0; j < i; j++) { // loop: sequential, pair(+2 A[i][j], +2 A[i][k]), because A[i][j] uses the elements before it
            for (int k = 0; k < j; k++) // loop: parallel, reduction(+:A[i][j])
                A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < N; j++) { // loop: parallel
            for (int k = 0; k < i; k++) // loop: parallel, reduction(+:A[i][j])
                A[i][j] -= A[i][k] * A[k][j];
        }
    }
}

static int lower(int i, int j)
{
    return j > i ? 0 : j == i ? 1 : (i * 2 + j * 5) % 5 - 2;
}

static int upper(int i, int j)
{
    return j < i ? 0 : j == i ? (i % 2 ? -1 : 1) * (1 << i % 3) : (i + j * 4) % 5 - 2;
}

static void matrix(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        for (int j = 0; j < N; j++) { // loop: parallel
            int sum = 0;
            for (int k = 0; k < N; k++) // loop: parallel, reduction(+:sum)
                sum += lower(i, k) * upper(k, j);
            A[i][j] = sum;
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
    matrix();
    show2("A", N, N, A);
    kernel_lu();
    show2("LU", N, N, A);
    return 0;
}
