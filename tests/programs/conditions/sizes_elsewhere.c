// sizes_elsewhere: unsigned sizes that are members, globals and results of calls, with which nothing wraps around, and others.
// sizes: -DN=53 -DM=21
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef M
#define M 19
#endif
#define LONG_ROW 70001

struct grid {
    unsigned rows, columns;
};

static unsigned height, width;

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

void kernel_members(const struct grid *restrict g, int *restrict a, const int *restrict b)
{
    for (unsigned i = 0; i < g->rows; i++) // loop: parallel_if
        for (unsigned j = 0; j < g->columns; j++) // loop: parallel_if
            a[i * g->columns + j] = 2 * b[i * g->columns + j] - (int)i;
}

void kernel_by_value(struct grid g, int *restrict a, const int *restrict b)
{
    for (unsigned i = 0; i < g.rows; i++) // loop: parallel_if
        for (unsigned j = 0; j < g.columns; j++) // loop: parallel_if
            a[i * g.columns + j] = a[i * g.columns + j] / 2 - b[i * g.columns + j];
}

void kernel_globals(int *restrict a, const int *restrict b)
{
    for (unsigned i = 0; i < height; i++) // loop: parallel_if
        for (unsigned j = 0; j < width; j++) // loop: parallel_if
            a[i * width + j] = b[i * width + j] + 5;
}

void kernel_results(const char *rows, const char *columns, int *restrict a, const int *restrict b)
{
    int n = atoi(rows);
    unsigned long m = strtoul(columns, NULL, 10);
    for (size_t i = 0; i < (size_t)n; i++) // loop: parallel_if
        for (size_t j = 0; j < m; j++) // loop: parallel_if
            a[i * m + j] = 3 * b[i * m + j] + (int)j;
}

/* With a shift of UINT_MAX, what wraps around is meant to. */
void kernel_shifted(const struct grid *restrict g, int *restrict a, const int *restrict b)
{
    for (unsigned i = 1; i < g->rows; i++) // loop: parallel_if
        a[i + g->columns] = b[i] - 1;
}

int main(void)
{
    int count = N * M;
    int *a = malloc(sizeof *a * (size_t)count), *b = malloc(sizeof *b * (size_t)count);
    fill(a, count, 3);
    fill(b, count, 5);
    struct grid small = {N, M}, large = {2, LONG_ROW}, shifted = {N, UINT_MAX}, behind = {N, M - 1};
    kernel_members(&small, a, b);
    show("members", a, count);
    kernel_by_value(small, a, b);
    show("by value", a, count);
    height = N - 1;
    width = M;
    kernel_globals(a, b);
    show("globals", a, count);
    kernel_results("7", "11", a, b);
    show("results", a, count);
    kernel_shifted(&behind, a, b);
    show("shifted", a, count);
    kernel_shifted(&shifted, a, b);
    show("wrapped", a, count);
    int *c = malloc(sizeof *c * 2 * LONG_ROW), *d = malloc(sizeof *d * 2 * LONG_ROW);
    fill(c, 2 * LONG_ROW, 7);
    fill(d, 2 * LONG_ROW, 2);
    kernel_members(&large, c, d);
    kernel_by_value(large, c, d);
    show("long rows", c, 2 * LONG_ROW);
    height = 2;
    width = LONG_ROW;
    kernel_globals(c, d);
    show("long rows", c, 2 * LONG_ROW);
    kernel_results("2", "70001", c, d);
    show("long rows", c, 2 * LONG_ROW);
    free(a);
    free(b);
    free(c);
    free(d);
    return 0;
}
