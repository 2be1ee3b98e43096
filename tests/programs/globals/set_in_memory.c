// set_in_memory: sizes that only memory holds: members, elements and variables of the file, set by a call; some change between loops, or lie in copies that the host never gets.
// sizes: -DN=161 -DM=29
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 137
#endif
#ifndef M
#define M 45
#endif

struct grid {
    int rows;
    int columns;
    long cells;
    struct {
        short halo;
        unsigned width;
    } edge;
};

struct box {
    int first;
    int count;
};

static int count;
static long extents[3];

/* What nobody knows before the program runs, like a number among its arguments. */
static int asked(int wanted)
{
again:
    if (wanted < 3) {
        wanted++;
        goto again;
    }
    return wanted;
}

static void show(const char *name, const double *v, long n)
{
    uint64_t sum = 0;
    for (long i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %.1f last %.1f\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

static void kernel_members(void)
{
    struct grid g;
    g.rows = asked(N);
    g.columns = asked(M);
    g.cells = (long)g.rows * g.columns;
    g.edge.halo = 2;
    g.edge.width = (unsigned)asked(N);
    double *a = malloc((size_t)g.cells * sizeof *a);
    double *b = malloc((size_t)g.rows * sizeof *b);
    for (long i = 0; i < g.cells; i++) // loop: parallel
        a[i] = (i * 5 + i / 7) % 11;
    for (int i = 0; i < g.rows; i++) { // loop: parallel
        double sum = 0.0;
        for (int j = 0; j < g.columns; j++) // loop: parallel, reduction(+:sum)
            sum += a[i * g.columns + j];
        b[i] = sum;
    }
    for (unsigned i = 0; i < g.edge.width; i++) // loop: parallel
        b[i] += g.edge.halo;
    show("members", a, g.cells);
    show("rows", b, g.rows);
    free(a);
    free(b);
}

static void kernel_of_the_file(void)
{
    count = asked(N);
    extents[1] = asked(M);
    double *a = malloc((size_t)count * sizeof *a);
    double *b = malloc((size_t)extents[1] * sizeof *b);
    for (int i = 0; i < count; i++) // loop: parallel
        a[i] = i % 9;
    for (long i = 0; i < extents[1]; i++) // loop: parallel
        b[i] = i % 5;
    show("count", a, count);
    show("extents", b, extents[1]);
    free(a);
    free(b);
}

/* What held the size holds another one when the second loop begins, and the section of both is that of before. */
static void kernel_between(double *restrict a, const double *restrict b, int half)
{
    struct grid g;
    g.rows = 2 * half;
    if (half < 50)
        return;
    for (int i = 1; i <= 2 * half; i++) // loop: parallel
        a[i] = b[i] * 2.0;
    g.rows = 1000;
    for (int i = 1; i <= 100; i++) // loop: parallel
        a[i] += 1.0;
    printf("%d\n", g.rows);
}

/* Each iteration has a box of its own: what the host has in its box is what was there before. */
static void kernel_scratch(double *restrict a, double *restrict b, int half)
{
    struct box box = { 1, 1 };
    if (half < 20)
        return;
    for (int i = 0; i < N; i++) { // loop: parallel, private(box)
        box.count = 2 * half;
        a[i] = box.count + i;
    }
    for (int i = 0; i < 2 * half; i++) // loop: parallel
        b[i] = i + 1;
}

int main(void)
{
    double *a = malloc(N * sizeof *a);
    double *b = malloc(N * sizeof *b);
    kernel_members();
    kernel_of_the_file();
    for (int i = 0; i < N; i++) { // loop: parallel
        a[i] = -1.0;
        b[i] = i % 8;
    }
    kernel_between(a, b, (N - 1) / 2);
    show("between", a, N);
    kernel_scratch(a, b, N / 2);
    show("scratch", a, N);
    show("boxes", b, N);
    free(a);
    free(b);
    return 0;
}
