// rows: helper functions that work on a row, an element, a pointer into the middle.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
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

#define M 13

static void add_row(int *to, const int *from, int m, int step)
{
    for (int j = 0; j < m; j++) // loop: parallel
        to[j] = from[j] + step;
}

static int *row_of(int *a, int m, int i)
{
    return a + i * m;
}

static void swap(int *p, int *q)
{
    int t = *p;
    *p = *q;
    *q = t;
}

static void centre(int *middle, int reach)
{
    for (int k = -reach; k <= reach; k++) // loop: parallel
        middle[k] -= k;
}

static int sum_of(const int *a, int m)
{
    int sum = 0;
    for (int j = 0; j < m; j++) // loop: parallel, reduction(+:sum)
        sum += a[j];
    return sum;
}

void kernel_rows(int n, int m, int *restrict a, const int *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        add_row(a + i * m, b + i * m, m, i);
}

/* Rows overlap where the pitch is smaller than a row. */
void kernel_overlapping(int n, int m, int pitch, int *restrict a, const int *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        add_row(a + i * pitch, b + i * m, m, i);
}

void kernel_pointers(int n, int m, int *a)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        int *row = row_of(a, m, i);
        for (int j = 0; j < m; j++) // loop: parallel
            row[j] += i - j;
    }
}

void kernel_swapped(int n, int *a)
{
    for (int i = 0; i < n / 2; i++) // loop: parallel
        swap(&a[i], &a[n - 1 - i]);
}

/* The element in the middle is swapped twice by two iterations. */
void kernel_swapped_too_far(int n, int *a)
{
    for (int i = 0; i < n / 2 + 2; i++) // loop: sequential, pair(*p, *q), because i and n - 1 - i meet
        swap(&a[i], &a[n - 1 - i]);
}

void kernel_centres(int n, int reach, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        centre(a + i * (2 * reach + 1) + reach, reach);
}

void kernel_sums(int n, int m, int *restrict out, const int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = sum_of(a + i * m, m);
}

int main(void)
{
    int *a = malloc(N * M * sizeof *a);
    int *b = malloc(N * M * sizeof *b);
    int *out = malloc(N * sizeof *out);
    if (a == NULL || b == NULL || out == NULL)
        return 1;
    fill(a, N * M, 5);
    fill(b, N * M, 3);
    fill(out, N, 7);
    kernel_rows(N, M, a, b);
    show("rows", a, N * M);
    kernel_overlapping(N, M, M, a, b);
    kernel_overlapping(N, M, 1, a, b);
    show("overlapping", a, N * M);
    kernel_pointers(N, M, a);
    show("pointers", a, N * M);
    kernel_swapped(N * M, a);
    show("swapped", a, N * M);
    kernel_swapped_too_far(N * M - 1, a);
    show("swapped too far", a, N * M);
    kernel_centres(N, M / 2, a);
    show("centres", a, N * M);
    kernel_sums(N, M, out, a);
    show("sums", out, N);
    free(a);
    free(b);
    free(out);
    return 0;
}
