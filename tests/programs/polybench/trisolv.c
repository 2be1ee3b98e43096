// TRISOLV: L x = b with a lower triangle L; pointers that may overlap.
// sizes: -DN=37
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The diagonal holds powers of two, and b is L times a vector of integers: quotients are exact. */
#ifndef N
#define N 21
#endif
#define DATA double

void kernel_trisolv(DATA (*L)[N], DATA *x, DATA *b)
{
    for (int i = 0; i < N; i++) { // loop: sequential, pair(+1 x[i], +3 x[j]), because x[i] uses the elements before it
        x[i] = b[i];
        for (int j = 0; j < i; j++) // loop: parallel_if, reduction(+:x[i])
            x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
}

static void matrix(DATA (*L)[N], DATA *b)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        b[i] = 0;
        for (int j = 0; j < N; j++) { // loop: parallel, reduction(+:b[i])
            L[i][j] = i == j ? 1 << i % 3 : (i * 2 + j * 5) % 5 - 2;
            b[i] += (j > i ? 0 : L[i][j]) * (j % 7 - 2);
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
    DATA(*L)[N] = malloc(N * sizeof *L);
    DATA *x = malloc(N * sizeof *x);
    DATA *b = malloc(N * sizeof *b);
    if (!L || !x || !b)
        return 1;

    matrix(L, b);
    fill1(N, x, 3);
    kernel_trisolv(L, x, b);
    show1("x", N, x);

    /* The solution takes the place of the last row of L. */
    kernel_trisolv(L, L[N - 1], b);
    show2("L", N, N, L);

    /* And of the right-hand side. */
    matrix(L, b);
    kernel_trisolv(L, b, b);
    show1("b", N, b);

    free(L);
    free(x);
    free(b);
    return 0;
}
