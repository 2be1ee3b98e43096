// LUDCMP: A = L U in place, then L y = b and U x = y; variable-length array parameters, one scalar for all sums.
// sizes: -DN=29
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* L is unit lower triangular, U upper triangular with powers of two on the diagonal, and x of integers: quotients are exact. */
#ifndef N
#define N 21
#endif
#define DATA double

static void kernel_ludcmp(int n, DATA A[n][n], DATA b[n], DATA x[n], DATA y[n])
{
    DATA w;

    for (int i = 0; i < n; i++) { // loop: sequential, pair(+11 A[i][j], +4 A[k][j]), because row i uses the rows before it
        for (int j = 0; j < i; j++) { // loop: sequential, pair(+4 A[i][j], +3 A[i][k]), because A[i][j] uses the elements before it
            w = A[i][j];
            for (int k = 0; k < j; k++) // loop: parallel, reduction(+:w)
                w -= A[i][k] * A[k][j];
            A[i][j] = w / A[j][j];
        }
        for (int j = i; j < n; j++) { // loop: parallel, private(w)
            w = A[i][j];
            for (int k = 0; k < i; k++) // loop: parallel, reduction(+:w)
                w -= A[i][k] * A[k][j];
            A[i][j] = w;
        }
    }

    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 y[i], +3 y[j]), because y[i] uses the elements before it
        w = b[i];
        for (int j = 0; j < i; j++) // loop: parallel, reduction(+:w)
            w -= A[i][j] * y[j];
        y[i] = w;
    }

    for (int i = n - 1; i >= 0; i--) { // loop: sequential, pair(+4 x[i], +3 x[j]), because x[i] uses the elements behind it
        w = y[i];
        for (int j = i + 1; j < n; j++) // loop: parallel, reduction(+:w)
            w -= A[i][j] * x[j];
        x[i] = w / A[i][i];
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

static void matrix(DATA A[N][N], DATA *b)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        b[i] = 0;
        for (int j = 0; j < N; j++) { // loop: parallel, reduction(+:b[i])
            int sum = 0;
            for (int k = 0; k < N; k++) // loop: parallel, reduction(+:sum)
                sum += lower(i, k) * upper(k, j);
            A[i][j] = sum;
            b[i] += sum * (j % 7 - 3);
        }
    }
}

static void fill1(int n, DATA *a, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = (DATA)((i * step + i / 8) % 7 - 3);
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
    DATA(*A)[N] = malloc(sizeof(DATA[N][N]));
    DATA *b = malloc(N * sizeof(DATA));
    DATA *x = malloc(N * sizeof(DATA));
    DATA *y = malloc(N * sizeof(DATA));
    if (!A || !b || !x || !y)
        return 1;

    matrix(A, b);
    fill1(N, x, 3);
    fill1(N, y, 4);
    show1("b", N, b);
    kernel_ludcmp(N, A, b, x, y);
    show2("LU", N, N, A);
    show1("y", N, y);
    show1("x", N, x);

    free(A);
    free(b);
    free(x);
    free(y);
    return 0;
}
