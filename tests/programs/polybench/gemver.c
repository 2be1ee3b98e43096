// GEMVER: A plus two outer products, then a product with its transpose and one with itself; arrays of the file.
// sizes: -DN=37
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 21
#endif
#define DATA double
#define FOR(i, n) for (int i = 0; i < (n); i++)

static DATA A[N][N];
static DATA u1[N], v1[N], u2[N], v2[N];
static DATA w[N], x[N], y[N], z[N];

void kernel_gemver(DATA alpha, DATA beta)
{
    FOR(i, N) // loop: parallel
        FOR(j, N) // loop: parallel
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];

    FOR(i, N) // loop: parallel
        FOR(j, N) // loop: parallel, reduction(+:x[i])
            x[i] = x[i] + beta * A[j][i] * y[j];

    FOR(i, N) // loop: parallel
        x[i] = x[i] + z[i];

    FOR(i, N) // loop: parallel
        FOR(j, N) // loop: parallel, reduction(+:w[i])
            w[i] = w[i] + alpha * A[i][j] * x[j];
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
    fill2(N, N, A, 2);
    fill1(N, u1, 3);
    fill1(N, v1, 4);
    fill1(N, u2, 5);
    fill1(N, v2, 6);
    fill1(N, w, 1);
    fill1(N, x, 2);
    fill1(N, y, 3);
    fill1(N, z, 4);
    kernel_gemver(1.5, 0.25);
    show2("A", N, N, A);
    show1("x", N, x);
    show1("w", N, w);
    return 0;
}
