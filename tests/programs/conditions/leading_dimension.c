// leading_dimension: matrices whose rows are longer than what is used of them, and rows that overlap.
// sizes: -DROWS=21 -DCOLUMNS=6 -DPAGES=3
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 13
#endif
#ifndef COLUMNS
#define COLUMNS 9
#endif
#ifndef PAGES
#define PAGES 5
#endif

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

void kernel_rows(int rows, int columns, int ld, int *a)
{
    for (int i = 0; i < rows; i++) // loop: parallel_if // ld >= columns
        for (int j = 0; j < columns; j++) // loop: parallel
            a[i * ld + j] = 3 * a[i * ld + j] + i - j;
}

/* Column after column, as in Fortran. */
void kernel_columns(int rows, int columns, int ld, int *a)
{
    for (int j = 0; j < columns; j++) // loop: parallel_if // ld >= rows
        for (int i = 0; i < rows; i++) // loop: parallel
            a[i + j * ld] = 2 * a[i + j * ld] - i;
}

void kernel_pages(int pages, int rows, int columns, int page, int ld, int *a)
{
    for (int p = 0; p < pages; p++) // loop: parallel_if // page >= (rows - 1) * ld + columns
        for (int i = 0; i < rows; i++) // loop: parallel_if // ld >= columns
            for (int j = 0; j < columns; j++) // loop: parallel
                a[p * page + i * ld + j] += a[p * page + i * ld + j] / 2 + p;
}

/* The sum runs along a row of a and down a column of b. */
void kernel_product(int m, int n, int k, const int *restrict a, int lda, const int *restrict b, int ldb,
                    int *restrict c, int ldc)
{
    for (int i = 0; i < m; i++) // loop: parallel_if // ldc >= n
        for (int j = 0; j < n; j++) { // loop: parallel
            int sum = 0;
            for (int l = 0; l < k; l++) // loop: parallel, reduction(+:sum)
                sum += a[i * lda + l] * b[l * ldb + j];
            c[i * ldc + j] = sum;
        }
}

/* The condition is known before the steps. */
void kernel_steps(int steps, int rows, int columns, int ld, int *a)
{
    for (int t = 0; t < steps; t++) // loop: sequential, pair(+3 a[i * ld + j], +3 a[i * ld + j]), because a step uses the last one's elements
        for (int i = 0; i < rows; i++) // loop: parallel_if // ld >= columns
            for (int j = 0; j < columns; j++) // loop: parallel
                a[i * ld + j] = a[i * ld + j] / 2 + t;
}

/* Below the diagonal: the last row has most elements. */
void kernel_triangle(int rows, int ld, int *a)
{
    for (int i = 0; i < rows; i++) // loop: parallel_if // ld >= rows
        for (int j = 0; j <= i; j++) // loop: parallel
            a[i * ld + j] = a[i * ld + j] * 3 - j;
}

static int *memory(int n)
{
    int *v = malloc((size_t)n * sizeof(int));
    if (!v)
        exit(1);
    fill(v, n, 5);
    return v;
}

static void both(int ld, const char *name)
{
    int n = (ROWS - 1) * ld + COLUMNS;
    int *a = memory(n);
    kernel_rows(ROWS, COLUMNS, ld, a);
    show(name, a, n);
    kernel_steps(3, ROWS, COLUMNS, ld, a);
    show("steps", a, n);
    free(a);
    n = (COLUMNS - 1) * ld + ROWS;
    a = memory(n);
    kernel_columns(ROWS, COLUMNS, ld, a);
    show("columns", a, n);
    free(a);
    n = (ROWS - 1) * ld + ROWS;
    a = memory(n);
    kernel_triangle(ROWS, ld, a);
    show("triangle", a, n);
    free(a);
}

static void pages(int page, int ld, const char *name)
{
    int n = (PAGES - 1) * page + (ROWS - 1) * ld + COLUMNS;
    int *a = memory(n);
    kernel_pages(PAGES, ROWS, COLUMNS, page, ld, a);
    show(name, a, n);
    free(a);
}

static void product(int ldc, const char *name)
{
    int n = (ROWS - 1) * ldc + COLUMNS;
    int *a = memory(ROWS * (PAGES + 2));
    int *b = memory(PAGES * (COLUMNS + 1));
    int *c = memory(n);
    kernel_product(ROWS, COLUMNS, PAGES, a, PAGES + 2, b, COLUMNS + 1, c, ldc);
    show(name, c, n);
    free(a);
    free(b);
    free(c);
}

int main(void)
{
    both(ROWS + COLUMNS, "wide");
    both(COLUMNS - 2, "overlapping");
    pages((ROWS + 1) * (COLUMNS + 2), COLUMNS + 2, "pages apart");
    pages(COLUMNS, COLUMNS + 2, "pages overlapping");
    pages(ROWS * COLUMNS, 2, "rows of a page overlapping");
    product(COLUMNS + 3, "apart");
    product(COLUMNS - 1, "rows of the product overlap");
    return 0;
}
