// copied: structures that are passed by value, assigned and returned: what their members lead to is what the members of the original lead to.
// sizes: -DN=53 -DROWS=11
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef ROWS
#define ROWS 9
#endif

struct strip {
    int n;
    double *from;
    double *to;
};

struct pair {
    struct strip first;
    struct strip second;
};

static void fill(double *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 7) % 17 - 8;
}

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

static void halve(struct strip s)
{
    for (int i = 0; i < s.n; i++) // loop: parallel_if
        s.to[i] = s.from[i] / 2;
}

/* What it changes is its own copy. */
static double next_of(struct strip s)
{
    s.n++;
    s.from++;
    return s.from[0] + s.n;
}

static struct strip strip_of(int n, double *from, double *to)
{
    struct strip s = {n, from, to};
    return s;
}

static struct strip larger(struct strip a, struct strip b)
{
    if (a.n > b.n)
        return a;
    return b;
}

void kernel_by_value(int rows, int n, double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: parallel
        struct strip s = {n, a + r * n, b + r * n};
        halve(s);
    }
}

/* All rows are written to one place. */
void kernel_one_place(int rows, int n, double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: sequential, pair(s.to[i], s.to[i]), because every row is written over the one before
        struct strip s = {n, a + r * n, b};
        halve(s);
    }
}

/* Each row is written where the next one is read. */
void kernel_next_row(int rows, int n, double *a)
{
    for (int r = 0; r + 1 < rows; r++) { // loop: sequential, pair(s.to[i], s.from[i]), because a row is read that the iteration before wrote
        struct strip s = {n, a + r * n, a + (r + 1) * n};
        halve(s);
    }
}

void kernel_assigned(int rows, int n, double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: parallel
        struct strip s = {n, a + r * n, b + r * n};
        struct strip t = s;
        s.to = b;
        for (int i = 0; i < t.n; i++) // loop: parallel
            t.to[i] = t.from[i] + 1;
    }
}

/* Here the copy is changed, not the original. */
void kernel_changed_copy(int rows, int n, double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: sequential, pair(+5 t.to[i], +5 t.to[i]), because every row is written over the one before
        struct strip s = {n, a + r * n, b + r * n};
        struct strip t = s;
        t.to = b;
        for (int i = 0; i < t.n; i++) // loop: parallel
            t.to[i] = t.from[i] + r;
    }
}

void kernel_returned(int rows, int n, double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: parallel
        struct strip s = strip_of(n, a + r * n, b + r * n);
        for (int i = 0; i < s.n; i++) // loop: parallel
            s.to[i] = s.from[i] * 3;
    }
}

void kernel_own_copy(int n, double *restrict a, double *restrict b)
{
    struct strip s = {n, a, b};
    for (int i = 0; i + 1 < n; i++) // loop: parallel
        s.to[i] = s.from[i] + next_of(s);
}

void kernel_nested(int rows, int n, double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: parallel
        struct pair p = {{n, a + r * n, b + r * n}, {1, a, b}};
        struct pair q = p;
        for (int i = 0; i < q.first.n; i++) // loop: parallel
            q.first.to[i] = q.first.from[i] - 2;
    }
}

void kernel_chosen(int rows, int n, double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: parallel
        struct strip s = larger(strip_of(n, a + r * n, b + r * n), strip_of(n - 1, a + r * n, b + r * n));
        for (int i = 0; i < s.n; i++) // loop: parallel
            s.to[i] = s.from[i] + 4;
    }
}

int main(void)
{
    double *a = malloc(ROWS * N * sizeof(double));
    double *b = malloc(ROWS * N * sizeof(double));
    if (!a || !b)
        return 1;
    fill(a, ROWS * N, 5);
    fill(b, ROWS * N, 3);
    kernel_by_value(ROWS, N, a, b);
    show("by value", b, ROWS * N);
    kernel_one_place(ROWS, N, a, b);
    show("one place", b, ROWS * N);
    kernel_next_row(ROWS, N, a);
    show("next row", a, ROWS * N);
    fill(a, ROWS * N, 7);
    kernel_assigned(ROWS, N, a, b);
    show("assigned", b, ROWS * N);
    kernel_changed_copy(ROWS, N, a, b);
    show("changed copy", b, ROWS * N);
    kernel_returned(ROWS, N, a, b);
    show("returned", b, ROWS * N);
    kernel_own_copy(N, a, b);
    show("own copy", b, ROWS * N);
    kernel_nested(ROWS, N, a, b);
    show("nested", b, ROWS * N);
    kernel_chosen(ROWS, N, a, b);
    show("chosen", b, ROWS * N);
    free(a);
    free(b);
    return 0;
}
