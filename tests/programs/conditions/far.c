// far: loops behind a test that a size is large, and panels that begin at a product of long values: overlapping, and apart.
// sizes: -DN=139 -DM=21
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 127
#endif
#ifndef M
#define M 13
#endif

struct size {
    int n;
    double weight;
};

static void show(const char *name, const double *v, long n)
{
    uint64_t sum = 0;
    for (long i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %.1f last %.1f\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

/* Short vectors are not worth it. */
static void kernel_move(struct size *s, double *x, const double *y)
{
    if (s->n < 100)
        return;
    for (int i = 1; i < s->n; i++) // loop: parallel_if
        x[i] = y[i] + 2.0;
}

/* Copies a panel, from the row `from` and the column `column` on, of rows of any length, also backwards. */
static void kernel_panel(double *to, const double *a, long from, long count, long row, long column)
{
    for (long j = 0; j < count; j++) // loop: parallel_if
        for (long i = 0; i < count; i++) // loop: parallel_if
            to[j * count + i] = a[(j + from) * row + i + column];
}

int main(void)
{
    long cells = (long)N * N;
    struct size size = { N, 1.0 };
    double *a = malloc((size_t)cells * sizeof *a);
    double *b = malloc((size_t)(M * M) * sizeof *b);
    for (long i = 0; i < cells; i++) // loop: parallel
        a[i] = i % 23;
    kernel_panel(b, a, 3, M, N, 5);
    show("panel", b, M * M);
    kernel_panel(b, a, -N / 2, M, -N, 2);
    show("backwards", b, M * M);
    kernel_panel(a, a, 1, M, N, 1);
    show("within", a, cells);
    kernel_move(&size, a, a + N);
    show("scaled", a, cells);
    kernel_move(&size, a + 1, a);
    show("moved", a, cells);
    size.n = 99;
    kernel_move(&size, a, a + N);
    show("short", a, cells);
    free(a);
    free(b);
    return 0;
}
