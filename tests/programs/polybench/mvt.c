// MVT: x1 += A y1 and x2 += A^T y2; variable-length array parameters that may overlap.
// sizes: -DN=21
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#define DATA float

void kernel_mvt(int n, DATA x1[n], DATA x2[n], DATA y1[n], DATA y2[n], DATA A[n][n])
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < n; j++) // loop: parallel_if, reduction(+:x1[i])
            x1[i] = x1[i] + A[i][j] * y1[j];

    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < n; j++) // loop: parallel_if, reduction(+:x2[i])
            x2[i] = x2[i] + A[j][i] * y2[j];
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
    DATA(*A)[N] = malloc(sizeof(DATA[N][N]));
    DATA *vectors = malloc(sizeof(DATA[4 * N]));
    DATA *block = malloc(sizeof(DATA[2 * N - 1]));
    if (!A || !vectors || !block)
        return 1;

    fill2(N, N, A, 2);
    fill1(4 * N, vectors, 3);
    kernel_mvt(N, vectors, vectors + N, vectors + 2 * N, vectors + 3 * N, A);
    show1("vectors", 4 * N, vectors);

    /* The last element of x1 is the first of y1, and x2 is the first row of A. */
    fill1(2 * N - 1, block, 5);
    kernel_mvt(N, block, A[0], block + N - 1, vectors + 3 * N, A);
    show1("block", 2 * N - 1, block);
    show2("A", N, N, A);

    free(A);
    free(vectors);
    free(block);
    return 0;
}
