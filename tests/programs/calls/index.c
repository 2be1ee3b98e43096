// index: an index that a function computes, and nested calls of helpers (Juravle's thesis, section 8.7, getIndex).
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

#define W 8

/* Where an element of a matrix of rows of W is; what it computes depends on what it is given. */
static int index_of(int row, int column)
{
    if (row < 0)
        return 0;
    return row * W + column;
}

static int mirrored(int n, int i)
{
    int j = n - 1 - i;
    return j;
}

static int offset_of(int pitch, int row)
{
    int at = 0;
    for (int k = 0; k < row; k++) // loop: parallel
        at += pitch;
    return at;
}

static void set(int *a, int at, int value)
{
    a[at] = value;
}

static void set_both(int *a, int *b, int row, int column)
{
    set(a, index_of(row, column), row - column);
    set(b, index_of(row, column), row + column);
}

void kernel_matrix(int n, int *restrict a, int *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < W; j++) // loop: parallel
            set_both(a, b, i, j);
}

void kernel_mirror(int n, int *restrict to, const int *restrict from)
{
    for (int i = 0; i < n; i++) // loop: parallel
        to[mirrored(n, i)] = from[i];
}

/* All rows but the first two are where their number says; rows -1 and 0 both begin at 0. */
void kernel_clamped(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(a[at], a[at]), because two iterations write element 0
        set(a, index_of(i - 1, 0), i);
}

void kernel_offsets(int n, int pitch, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        a[offset_of(pitch, i)] += i;
}

int main(void)
{
    int *a = malloc(N * W * sizeof *a);
    int *b = malloc(N * W * sizeof *b);
    if (a == NULL || b == NULL)
        return 1;
    fill(a, N * W, 5);
    fill(b, N * W, 3);
    kernel_matrix(N, a, b);
    show("a", a, N * W);
    show("b", b, N * W);
    kernel_mirror(N * W, a, b);
    show("mirror", a, N * W);
    kernel_clamped(N, a);
    show("clamped", a, N * W);
    kernel_offsets(N, W, a);
    kernel_offsets(N, 0, a);
    show("offsets", a, N * W);
    free(a);
    free(b);
    return 0;
}
