// made: arrays of pointers that the function itself fills: rows of one block, rows allocated one by one, rows shared.
// sizes: -DN=8 -DM=31
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 19
#endif
#ifndef M
#define M 23
#endif

static void show(const char *name, double **w, int n, int m)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        for (int j = 0; j < m; j++) // loop: parallel, reduction(+:sum)
            sum += (uint64_t)(int64_t)(w[i][j] * 4096.0) * (uint64_t)(2 * (i * m + j) + 1);
    printf("%s: %016llx first %g last %g\n", name, (unsigned long long)sum, w[0][0], w[n - 1][m - 1]);
}

/* Rows of one block: their addresses are known. */
void kernel_block(double *restrict block, int n, int m)
{
    double **w = malloc((size_t)n * sizeof *w);
    for (int i = 0; i < n; i++) // loop: parallel
        w[i] = block + i * m;
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            w[i][j] = i + 2 * j;
    for (int i = 1; i < n; i++) // loop: sequential, pair(+2 w[i][j], +2 w[i - 1][j]), because w[i - 1] is written by the iteration before
        for (int j = 0; j < m; j++) // loop: parallel
            w[i][j] += w[i - 1][j];
    show("block", w, n, m);
    free(w);
}

/* Rows that overlap by one element. */
void kernel_overlapping(double *block, int n, int m)
{
    double **w = malloc((size_t)n * sizeof *w);
    for (int i = 0; i < n; i++) // loop: parallel
        w[i] = block + i * (m - 1);
    for (int i = 0; i < n; i++) // loop: sequential, pair(+2 w[i][j], +2 w[i][j]), because the first element of a row is the last one of the row before
        for (int j = 0; j < m; j++) // loop: parallel
            w[i][j] = w[i][j] * 0.5 + i;
    show("overlapping", w, n, m);
    free(w);
}

/* Each row begins where the one before ends. */
void kernel_chain(double *block, int n, int m)
{
    double **w = malloc(((size_t)n + 1) * sizeof *w);
    w[0] = block;
    for (int i = 1; i < n; i++) // loop: sequential, pair(+1 w[i], +1 w[i - 1]), because w[i - 1] is set by the iteration before
        w[i] = w[i - 1] + m;
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            w[i][j] -= j;
    show("chain", w, n, m);
    free(w);
}

/* Rows that are allocated one by one. */
void kernel_allocated(int n, int m)
{
    double **w = calloc((size_t)n, sizeof *w);
    double **v = malloc((size_t)n * sizeof *v);
    for (int i = 0; i < n; i++) { // loop: sequential, because memory is allocated
        w[i] = malloc((size_t)m * sizeof **w);
        v[i] = malloc((size_t)m * sizeof **v);
    }
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) { // loop: parallel
            w[i][j] = i - j;
            v[i][j] = i + j;
        }
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            w[i][j] += v[n - 1 - i][j];
    for (int j = 0; j < m; j++) // loop: parallel
        for (int i = 1; i < n; i++) // loop: sequential, pair(+1 w[i][j], +1 w[i - 1][j]), because w[i - 1][j] is written by the iteration before
            w[i][j] += w[i - 1][j];
    show("allocated", w, n, m);
    /* One row too many, for good: the pointers are not known any more. */
    double *kept = w[n - 1];
    w[n - 1] = w[0];
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            w[i][j] += 2 * i;
    w[n - 1] = kept;
    show("one shared", w, n, m);
    for (int i = 0; i < n; i++) { // loop: sequential, because memory is freed
        free(w[i]);
        free(v[i]);
    }
    free(w);
    free(v);
}

/* Two tables with the same rows. */
void kernel_shared(int n, int m)
{
    double **w = malloc((size_t)n * sizeof *w);
    double **v = malloc((size_t)n * sizeof *v);
    for (int i = 0; i < n; i++) // loop: sequential, because memory is allocated
        v[n - 1 - i] = w[i] = calloc((size_t)m, sizeof **w);
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            w[i][j] = v[i][j] + j;
    show("shared", w, n, m);
    for (int i = 0; i < n; i++) // loop: sequential, because memory is freed
        free(w[i]);
    free(w);
    free(v);
}

/* Some rows are allocated, and all others are the first one. */
void kernel_some(int n, int m)
{
    double **w = malloc((size_t)n * sizeof *w);
    double *first = calloc((size_t)m, sizeof *first);
    for (int i = 0; i < n; i++) { // loop: sequential, because memory is allocated
        w[i] = first;
        if (i % 3)
            w[i] = calloc((size_t)m, sizeof *first);
    }
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            w[i][j] += i + j;
    show("some", w, n, m);
    for (int i = 0; i < n; i++) // loop: sequential, because memory is freed
        if (i % 3)
            free(w[i]);
    free(first);
    free(w);
}

/* Only the first half is filled here. */
void kernel_half(double **w, double *block, int n, int m)
{
    for (int i = 0; i < n / 2; i++) // loop: parallel
        w[i] = block + i * m;
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            w[i][j] -= 3 * j;
}

/* An array of the function, of which one pointer is set again. */
void kernel_local(double *block, int again)
{
    double *w[N];
    for (int i = 0; i < N; i++) // loop: parallel
        w[i] = block + i * M;
    for (int i = 0; i < N; i++) // loop: parallel
        for (int j = 0; j < M; j++) // loop: parallel
            w[i][j] *= 2;
    w[again] = block;
    for (int i = 0; i < N; i++) // loop: parallel_if
        for (int j = 0; j < M; j++) // loop: parallel_if
            w[i][j] += i;
    show("local", w, N, M);
}

/* The pointers are set by a function that has them for itself. */
static void set(double **w, double *block, int n, int m)
{
    for (int i = 0; i < n; i++) // loop: parallel
        w[i] = block + i * m;
}

void kernel_by_function(double *block, int n, int m)
{
    double **w = malloc((size_t)n * sizeof *w);
    set(w, block, n, m);
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            w[i][j] += 2 * j;
    show("by function", w, n, m);
    free(w);
}

/* Pointers are set again by later iterations. */
void kernel_set_twice(double *block, int n, int m)
{
    double **w = calloc((size_t)n, sizeof *w);
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 w[i / 2], +2 w[i]), because w[i / 2] is set by several iterations
        w[i / 2] = block;
        w[i] = block + i * m;
    }
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            w[i][j] += 3 * i - j;
    show("set twice", w, n, m);
    free(w);
}

/* Filled in one of two ways. */
void kernel_either(double *block, int n, int m, int one)
{
    double **w = calloc((size_t)n, sizeof *w);
    if (one)
        for (int i = 0; i < n; i++) // loop: parallel
            w[i] = block + i * m;
    else
        for (int i = 0; i < n; i++) // loop: parallel
            w[i] = block;
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            w[i][j] += 2 * i - j;
    show("either", w, n, m);
    free(w);
}

/* Only some pointers are to storage of this function, and the one that is used may be another. */
void kernel_perhaps(double **w, double *block, double *restrict x, int c, int n, int m)
{
    for (int i = 0; i < n / 2; i++) // loop: sequential, because memory is allocated
        w[i] = calloc((size_t)m, sizeof **w);
    for (int k = 0; k + 1 < m; k++) { // loop: parallel_if
        if (c >= 0 && c < n / 2)
            x[k] = w[c][k];
        w[c][k] = block[k + 1] + 1;
    }
    for (int i = 0; i < n / 2; i++) // loop: sequential, because memory is freed
        free(w[i]);
}

/* A pointer changes in the loop that follows it. */
void kernel_moved(double *block, double *a, int n)
{
    double *w[2];
    long k = 0;
    for (int i = 0; i < 2; i++) // loop: parallel
        w[i] = block;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 w[1], +1 w[1]), because k depends on what the iteration before has set
        k += w[1] - block;
        a[k] += i;
        w[1] = block + 1;
    }
}

int main(void)
{
    double *block = calloc((size_t)N * M, sizeof *block);
    double *w[N];

    kernel_block(block, N, M);
    kernel_overlapping(block, N, M);
    kernel_chain(block, N, M);
    kernel_allocated(N, M);
    kernel_shared(N, M);
    kernel_some(N, M);
    for (int i = 0; i < N; i++) // loop: parallel
        w[i] = block + (N - 1 - i) * M;
    kernel_half(w, block, N, M);
    show("half", w, N, M);
    for (int i = 0; i < N; i++) // loop: parallel
        w[i] = block + i * M;
    kernel_half(w, block, N, M);
    show("half", w, N, M);
    kernel_local(block, 0);
    kernel_local(block, N - 1);
    kernel_by_function(block, N, M);
    kernel_set_twice(block, N, M);
    kernel_either(block, N, M, 1);
    kernel_either(block, N, M, 0);
    double x[M] = {0};
    for (int i = 0; i < N; i++) // loop: parallel
        w[i] = block + i * M;
    kernel_perhaps(w, block, x, 1, N, M);
    kernel_perhaps(w, block, x, N - 1, N, M);
    for (int i = 0; i < N; i++) // loop: parallel
        w[i] = block;
    kernel_perhaps(w, block, x, N - 1, N, M);
    printf("perhaps %g %g\n", x[0], x[M - 2]);
    kernel_moved(block, block, M);
    w[0] = block;
    show("moved", w, 1, M);
    free(block);
    return 0;
}
