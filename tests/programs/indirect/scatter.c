// scatter: elements whose numbers come from memory, in order or not.
// sizes: -DN=61 -DW=3
// not: reversed
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef W
#define W 5
#endif
#define M (2 * N + 9)

static unsigned short table[N + 2];
static int out[M + 3];

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

static void clear(int *v, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = i % 11 - 5;
}

// ferry: extent(a[0:m])
void kernel_blocks(int n, int m, int w, const int *idx, int *a, const int *b)
{
    (void)m;
    for (int i = 0; i < n; i++) // loop: parallel_if // idx increases, and w > 0
        for (int j = 0; j < w; j++) // loop: parallel_if
            a[idx[i] * w + j] = b[i] + 3 * j;
}

/* Rows of a length that is not that of the blocks. */
// ferry: extent(a[0:m])
void kernel_rows(int n, int m, int w, int ld, const int *restrict idx, int *restrict a, const int *restrict b)
{
    (void)m;
    for (int i = 0; i < n; i++) // loop: parallel_if // idx increases, and 0 < w <= ld
        for (int j = 0; j < w; j++) // loop: parallel
            a[idx[i] * ld + j] = a[idx[i] * ld + j] / 2 + b[i] * j;
}

/* One pass for all steps. */
// ferry: extent(a[0:m])
void kernel_steps(int n, int m, int steps, const int *idx, int *a, const int *b)
{
    (void)m;
    for (int t = 0; t < steps; t++) // loop: sequential, pair(+2 a[idx[i] + 1], +2 a[idx[i] + 1]), because each step needs the one before it
        for (int i = 0; i < n; i++) // loop: parallel_if // idx increases
            a[idx[i] + 1] = a[idx[i] + 1] / 3 + b[i] - t;
}

/* The numbers change from step to step. */
// ferry: extent(a[0:m])
void kernel_moving(int n, int m, int steps, int *restrict idx, int *restrict a, const int *restrict b)
{
    (void)m;
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 a[idx[i]], +2 a[idx[i]]), because each step needs the one before it
        for (int i = 0; i < n; i++) // loop: parallel_if // idx increases
            a[idx[i]] = a[idx[i]] / 3 + b[i] - t;
        idx[t] = idx[n - 1 - t];
    }
}

/* Each iteration writes beside its number, or its number. */
// ferry: extent(a[0:m])
void kernel_counted(int n, int m, int *idx, int *count, int *restrict a, const int *restrict b)
{
    (void)m;
    for (int i = 0; i < n; i++) { // loop: parallel_if // idx increases, and is not count
        count[i] = i / 2;
        for (int j = 0; j < W; j++) // loop: sequential, pair(+1 a[idx[i]], +1 a[idx[i]]), because a[idx[i]] is computed from itself
            a[idx[i]] = a[idx[i]] / 2 + b[i] * j;
    }
}

/* From the last to the first, of a narrow unsigned type, in a part of an array. */
void kernel_backwards(int lo, int hi, const int *restrict b)
{
    for (int i = hi - 1; i >= lo; i--) { // loop: parallel_if // table increases
        int k = table[i + 1];
        out[k] = b[i];
        for (int j = 0; j < W; j++) // loop: sequential, pair(+1 out[k], +1 out[k]), because out[k] is computed from itself
            out[k] = out[k] / 2 + j;
    }
}

/* A pass would cost as much as the loop. */
// ferry: extent(a[0:m])
void kernel_once(int n, int m, const int *restrict idx, int *restrict a, const int *restrict b)
{
    (void)m;
    for (int i = 0; i < n; i++) // loop: parallel_if // idx increases
        a[idx[i]] = b[i];
}

/* Neighbours: that the numbers increase is not enough. */
// ferry: extent(a[0:m])
void kernel_neighbours(int n, int m, const int *restrict idx, int *restrict a, const int *restrict b)
{
    (void)m;
    for (int i = 0; i < n; i++) // loop: unknown, pair(+2 a[idx[i] + j], +2 a[idx[i] + j])
        for (int j = 0; j < 2; j++) // loop: parallel
            a[idx[i] + j] = b[i] * (j + 1);
}

/* Each iteration changes its number before it uses it. */
// ferry: extent(a[0:m])
void kernel_changed(int n, int m, int *restrict idx, int *restrict a, const int *restrict b)
{
    (void)m;
    for (int i = 0; i < n; i++) { // loop: unknown, pair(+4 a[idx[i]], +4 a[idx[i]])
        for (int j = 0; j < 2; j++) // loop: sequential, pair(+1 idx[i], +1 idx[i]), because idx[i] is computed from itself
            idx[i] = idx[i] / 2;
        for (int j = 0; j < W; j++) // loop: sequential, pair(+1 a[idx[i]], +1 a[idx[i]]), because a[idx[i]] is computed from itself
            a[idx[i]] = a[idx[i]] / 2 + b[i] * j;
    }
}

/* Two tables, each in order: the elements of one may be those of the other. */
// ferry: extent(a[0:m])
void kernel_two(int n, int m, const int *restrict one, const int *restrict two, int *restrict a, const int *restrict b)
{
    (void)m;
    for (int i = 0; i < n; i++) // loop: unknown, pair(+2 a[one[i]], +3 a[two[i]])
        for (int j = 0; j < W; j++) { // loop: sequential, pair(+1 a[one[i]], +1 a[one[i]]), because all write a[one[i]]
            a[one[i]] = b[i];
            a[two[i]] = b[i] + j;
        }
}

static void fill(int *idx, int n, int kind)
{
    for (int i = 0; i < n; i++) // loop: parallel
        idx[i] = 2 * i + i % 2;
    if (kind == 1)
        idx[n - 1] = idx[n - 2]; /* the last one twice */
    if (kind == 2)
        idx[1] = idx[0]; /* the first one twice */
    if (kind == 3)
        for (int i = 0; i < n; i++) // loop: parallel // each another one, but in no order
            idx[i] = (i * 10) % (2 * N);
    if (kind == 4)
        for (int i = 0; i < n; i++) // loop: parallel // each another one, the greatest first
            idx[i] = 2 * (n - 1 - i);
    if (kind == 5)
        for (int i = 0; i < n; i++) // loop: parallel // each many times
            idx[i] = 2 * (i / (n / 2 + 1));
}

int main(void)
{
    int *idx = malloc(N * sizeof *idx), *other = malloc(N * sizeof *other), *b = malloc((N + 1) * sizeof *b);
    int *a = malloc(M * W * sizeof *a);
    if (!idx || !other || !b || !a)
        return 1;
    for (int i = 0; i < N + 1; i++) // loop: parallel
        b[i] = (i * 7) % 23 - 9;
    for (int kind = 0; kind < 6; kind++) { // loop: sequential, pair(idx[i], idx[i]), because it prints
        fill(idx, N, kind);
        clear(a, M * W);
        kernel_blocks(N, M * W, W, idx, a, b);
        kernel_blocks(N, M * W, 0, NULL, a, b);
        show("blocks", a, M * W);
        kernel_rows(N, M * W, W - 1, W, idx, a, b);
        kernel_rows(N - 1, M * W, W, W - 2, idx, a, b);
        kernel_rows(0, M * W, W, W, NULL, a, b);
        show("rows", a, M * W);
        kernel_steps(N, M * W, 4, idx, a, b);
        kernel_steps(N, M * W, 0, NULL, a, b);
        show("steps", a, M * W);
        fill(other, N, kind);
        kernel_moving(N, M * W, 5, other, a, b);
        kernel_moving(N, M * W, 0, NULL, a, b);
        show("moving", a, M * W);
        fill(other, N, kind);
        kernel_counted(N, M * W, idx, other, a, b);
        fill(other, N, kind);
        kernel_counted(N, M * W, other, other, a, b);
        show("counted", a, M * W);
        for (int i = 0; i < N; i++) // loop: parallel
            table[i + 1] = (unsigned short)(idx[i] + (kind == 0 ? 0 : 2));
        table[0] = 40000;
        table[N + 1] = 1;
        clear(out, M + 3);
        kernel_backwards(0, N, b);
        kernel_backwards(3, N - 5, b);
        kernel_backwards(N, 0, b);
        show("backwards", out, M + 3);
        kernel_once(N, M * W, idx, a, b);
        show("once", a, M * W);
        kernel_neighbours(N, M * W, idx, a, b);
        show("neighbours", a, M * W);
        fill(other, N, 3);
        kernel_two(N, M * W, idx, other, a, b);
        show("two", a, M * W);
        kernel_changed(N, M * W, idx, a, b);
        show("changed", a, M * W);
        show("numbers", idx, N);
    }
    /* What is written are the numbers themselves. */
    fill(idx, N, 0);
    for (int i = 0; i < N; i++) // loop: parallel
        b[i] = i % 5;
    kernel_blocks(N / 4, N - 1, 1, idx, idx + 1, b);
    show("overlapping blocks", idx, N);
    fill(idx, N, 0);
    kernel_steps(N / 4, N, 2, idx, idx, b);
    show("overlapping steps", idx, N);
    free(idx);
    free(other);
    free(b);
    free(a);
    return 0;
}
