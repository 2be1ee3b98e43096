// rows_forward: lengths of rows are plain integers, which may be negative for all that C says: called with rows one behind the other, and with rows that lie the other way.
// sizes: -DN=29 -DM=21
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 23
#endif
#ifndef M
#define M 17
#endif
/* As counters from 1 on, with two elements around them. */
#define AT(i, j, rows) ((rows) * ((j) + 1) + (i) + 1)

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

/* Planes of rows; a line of rows is gathered from each plane. */
void kernel_gather(int first, int planes, int from, int to, int ld, int rows, int *restrict out, const int *restrict in)
{
    for (int p = 0; p < planes; p++) // loop: parallel
        for (int i = from; i < to; i++) // loop: parallel
            out[p * (to - from) + i - from] = in[i + ld * (first + rows * p)] - p;
}

/* Rows are five elements longer than what is touched of them, which begins in the third. */
void kernel_inside(int low, int high, int n, int *restrict a, const int *restrict b)
{
    for (int k = 0; k < n; k++) // loop: parallel_if
        for (int j = low; j <= high; j++) // loop: parallel
            a[(high + 5) * (k + 2) + j - low + 2] = b[(high + 5) * (k + 2) + j - low + 2] + b[(high + 5) * (k + 3) + j - low + 2] - j;
}

/* The border of each row is the mirror image of what lies beside it: of a row of 2 * depth elements the last one read would be the first of the next. */
void kernel_mirror(int n, int depth, int ld, int *a)
{
    for (int k = 0; k < n; k++) // loop: parallel_if
        for (int j = 1; j <= depth; j++) // loop: parallel
            a[ld * k + depth - j] = 2 * a[ld * k + depth + j];
}

/* The same in rows like those of the kernel before it. */
void kernel_edge(int low, int high, int n, int depth, int *a)
{
    for (int k = 0; k < n; k++) // loop: parallel_if
        for (int j = 1; j <= depth; j++) // loop: parallel
            a[(high + 5) * (k + 2) + 3 - j - low] = 2 * a[(high + 5) * (k + 2) + 3 + j - low] - j;
}

/* Rows of the whole width, without the border. */
void kernel_inner(int nx, int ny, int *restrict a, const int *restrict b)
{
    for (int j = 0; j < ny - 2; j++) // loop: parallel
        for (int i = 0; i < nx - 2; i++) // loop: parallel
            a[AT(i, j, nx)] = b[AT(i - 1, j, nx)] + b[AT(i + 1, j, nx)] + b[AT(i, j - 1, nx)] + b[AT(i, j + 1, nx)];
}

/* Each row is made of the one before it, whatever its length is. */
void kernel_down(int n, int m, int ld, int *a)
{
    for (int i = 1; i < n; i++) // loop: sequential, pair(+2 a[i * ld + j], +2 a[(i - 1) * ld + j]), because a[(i - 1) * ld + j] is written by the iteration before
        for (int j = 0; j < m; j++) // loop: parallel_if
            a[i * ld + j] = a[(i - 1) * ld + j] + 1;
}

int main(void)
{
    int count = (N + 5) * (M + 5);
    int *a = malloc(sizeof *a * (size_t)count), *b = malloc(sizeof *b * (size_t)count);
    fill(a, count, 3);
    fill(b, count, 5);
    kernel_gather(1, 3, 2, N, N, M / 3, a, b);
    show("gather", a, count);
    /* The same rows, counted from the last one. */
    kernel_gather(-1, 3, 2, N, -N, -(M / 3), a, b);
    show("gather backwards", a, count);
    kernel_gather(-2, 3, 2, N, -N, M / 3, a, b + N * (M - 1));
    show("gather down", a, count);
    kernel_inside(1, N, M, a, b);
    show("inside", a, count);
    kernel_inside(-2, 2, M, a, b);
    show("inside of short rows", a, count);
    /* What one row writes is in the next one, too: eight elements of rows of six, and of three. */
    kernel_inside(-6, 1, M, a, b);
    show("inside of rows that meet", a, count);
    kernel_inside(-9, -2, M, a, b);
    show("inside of overlapping rows", a, count);
    kernel_mirror(M, 3, N, a);
    show("mirror", a, count);
    kernel_mirror(M, 4, 9, a);
    show("mirror in tight rows", a, count);
    kernel_mirror(M, 4, 8, a);
    show("mirror in tighter rows", a, count);
    kernel_mirror(M, 4, 3, a);
    show("mirror in overlapping rows", a, count);
    kernel_mirror(M, 3, -N, a + N * (M - 1));
    show("mirror backwards", a, count);
    kernel_edge(1, N, M, 2, a);
    show("edge", a, count);
    kernel_edge(0, 1, M, 2, a);
    show("edge of tight rows", a, count);
    kernel_edge(0, 1, M, 3, a);
    show("edge of rows that meet", a, count);
    kernel_edge(3, 1, M, 3, a);
    show("edge before rows that meet", a, count);
    kernel_edge(1, -1, M, 2, a);
    show("edge of shorter rows", a, count);
    kernel_inner(N, M, a, b);
    show("inner", a, count);
    kernel_inner(0, M, a, b);
    show("inner of nothing", a, count);
    kernel_down(M, N, N, a);
    show("down", a, count);
    kernel_down(M, N, -N, a + N * (M - 1));
    show("up", a, count);
    free(a);
    free(b);
    return 0;
}
