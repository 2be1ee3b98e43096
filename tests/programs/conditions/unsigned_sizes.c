// unsigned_sizes: subscripts and bounds in unsigned arithmetic, which may wrap around: called with sizes with which nothing does, and with others.
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

void kernel_rows(unsigned n, unsigned m, int *restrict a, const int *restrict b)
{
    for (unsigned i = 0; i < n; i++) // loop: parallel_if
        for (unsigned j = 0; j < m; j++) // loop: parallel_if
            a[i * m + j] = 2 * b[i * m + j] - (int)i;
}

void kernel_inside(unsigned n, unsigned m, int *restrict a, const int *restrict b)
{
    for (unsigned i = 1; i < n - 1; i++) // loop: parallel_if
        for (unsigned j = 1; j < m - 1; j++) // loop: parallel_if
            a[i * m + j] = b[(i - 1) * m + j] + b[(i + 1) * m + j] - b[i * m + j - 1] - b[i * m + j + 1];
}

/* With an offset of UINT_MAX, the first iteration that there is (1) writes the first element. */
void kernel_offset(unsigned from, unsigned n, unsigned off, int *restrict a, const int *restrict b)
{
    for (unsigned i = from; i < n; i++) // loop: parallel_if
        a[i + off] = b[i] + 7;
}

void kernel_boxes(size_t nx, size_t ny, size_t nz, int *restrict a, const int *restrict b)
{
    for (size_t x = 0; x < nx; x++) // loop: parallel_if
        for (size_t y = 0; y < ny; y++) // loop: parallel_if
            for (size_t z = 0; z < nz; z++) // loop: parallel_if
                a[(x * ny + y) * nz + z] = b[(x * ny + y) * nz + z] + (int)(x + 2 * y);
}

/* A size that is -1 is a large one here; the loop around it has no iteration then. */
void kernel_signed_sizes(int n, int m, int *restrict a, const int *restrict b)
{
    for (size_t i = 0; i < (size_t)n; i++) // loop: parallel_if
        for (size_t j = 0; j < (size_t)m; j++) // loop: parallel_if
            a[i * m + j] = b[i * m + j] - 3;
}

/* Two elements apart, or on one another where 2 * n wraps around. */
void kernel_even(unsigned n, int *a)
{
    for (unsigned i = 0; i < n; i++) // loop: parallel_if
        a[2 * i] = a[2 * i + 1] - a[2 * i];
}

int main(void)
{
    int count = N * M;
    int *a = malloc(sizeof *a * (size_t)count), *b = malloc(sizeof *b * (size_t)count);
    fill(a, count, 3);
    fill(b, count, 5);
    kernel_rows(N, M, a, b);
    show("rows", a, count);
    kernel_inside(N, M, a, b);
    show("inside", a, count);
    kernel_offset(0, N, M, a, b);
    show("offset", a, count);
    kernel_offset(1, N, UINT_MAX, a, b);
    show("wrapped", a, count);
    kernel_boxes(N, 1, M, a, b);
    show("boxes", a, count);
    kernel_boxes(2, N / 2, M - 1, a, b);
    show("boxes", a, count);
    kernel_signed_sizes(N, M, a, b);
    show("signed", a, count);
    kernel_signed_sizes(0, -1, a, b);
    show("signed", a, count);
    kernel_even(N, a);
    show("even", a, count);
    int *c = malloc(sizeof *c * 2 * LONG_ROW), *d = malloc(sizeof *d * 2 * LONG_ROW);
    fill(c, 2 * LONG_ROW, 7);
    fill(d, 2 * LONG_ROW, 2);
    kernel_rows(2, LONG_ROW, c, d);
    show("long rows", c, 2 * LONG_ROW);
    free(a);
    free(b);
    free(c);
    free(d);
    return 0;
}
