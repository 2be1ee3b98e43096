// grid_macros: a grid behind a pointer whose sizes and elements are written through macros, one on top of another.
// sizes: -DN=19 -DM=7
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 23
#endif
#ifndef M
#define M 17
#endif

struct grid {
    double *field, *force;
    int rows, columns, time;
};

#define ROWS_OF(G) G->rows
#define COLUMNS_OF(G) (G)->columns
#define FIELD_OF(G, R, C) G->field[(R) * COLUMNS_OF(G) + (C)]
#define FORCE_OF(G, R, C) G->force[(R) * COLUMNS_OF(G) + (C)]

#define ROWS ROWS_OF(g)
#define COLUMNS COLUMNS_OF(g)
#define FIELD(R, C) FIELD_OF(g, R, C)
#define FORCE(R, C) FORCE_OF(g, R, C)

void kernel_pull(struct grid *g)
{
    for (int r = 0; r < ROWS; r++) // loop: parallel_if
        for (int c = 0; c < COLUMNS; c++) // loop: parallel_if
            FORCE(r, c) = FORCE(r, c) / 2 + FIELD(r, c);
}

void kernel_row(struct grid *g, int r)
{
    for (int c = 0; c < COLUMNS; c++) // loop: parallel_if
        FIELD(r, c) += g->time;
}

/* The next iteration reads what this one writes. */
void kernel_drift(struct grid *g)
{
    for (int c = 0; c + 1 < COLUMNS; c++) // loop: sequential, pair(+1 FIELD(0, c + 1), +1 FIELD(0, c)), because FIELD(0, c) is written by the iteration before
        FIELD(0, c + 1) = FIELD(0, c) + FIELD(0, c + 1);
}

static long checksum(const double *v, int n)
{
    long h = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:h)
        h += (long)(v[i] * 4096) * (2L * i + 1);
    return h;
}

int main(void)
{
    struct grid *g = malloc(sizeof *g);
    if (!g)
        return 1;
    g->rows = N;
    g->columns = M;
    g->time = 3;
    g->field = malloc(N * M * sizeof *g->field);
    g->force = malloc(N * M * sizeof *g->force);
    if (!g->field || !g->force)
        return 1;
    for (int i = 0; i < N * M; i++) { // loop: parallel
        g->field[i] = i % 11;
        g->force[i] = i % 6;
    }
    for (int t = 0; t < 3; t++) { // loop: sequential, pair(FORCE(r, c), FORCE(r, c)), because of the force
        kernel_pull(g);
        kernel_row(g, t);
        kernel_drift(g);
    }
    printf("%ld %ld %d\n", checksum(g->field, N * M), checksum(g->force, N * M), g->rows * g->columns);
    /* Storage that overlaps: the loops run in their order. */
    double *own = g->force;
    g->force = g->field + M;
    g->rows = N - 1;
    kernel_pull(g);
    printf("%ld\n", checksum(g->field, N * M));
    free(own);
    free(g->field);
    free(g);
    return 0;
}
