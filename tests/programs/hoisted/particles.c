// particles: cells of particles behind two pointers, as simulations keep them; the pointers are loaded before the loops.
// sizes: -DN=101 -DCELLS=13
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef CELLS
#define CELLS 5
#endif

typedef double vector[3];

struct particles {
    int count;
    vector *place, *force;
    double *energy;
    int *kind;
};

struct cells {
    int count;
    int *first;
    double inverse;
};

typedef struct {
    struct particles *particles;
    struct cells *cells;
    double scale[4];
    struct {
        int *mark;
        double *of[2];
    } extra;
} simulation;

simulation *current;
static simulation own;

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

static void show_numbers(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

/* The bound is a member, too. */
void kernel_clear(simulation *s)
{
    for (int i = 0; i < s->particles->count; i++) { // loop: parallel_if
        for (int k = 0; k < 3; k++) // loop: parallel_if
            s->particles->force[i][k] = 0;
        s->particles->energy[i] = 1;
    }
}

/* Numbers that doubles may overlap stay where they are. */
double kernel_push(simulation *s, double step)
{
    double total = 0;
    for (int i = 0; i < s->particles->count; i++) { // loop: parallel_if, reduction(+:total)
        double way = s->particles->place[i][0] * s->cells->inverse + step;
        s->particles->force[i][1] += way;
        total += way * s->scale[2];
    }
    return total;
}

/* Members of members, and of arrays. */
void kernel_extra(simulation *s, int n, int which)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        s->extra.of[which][i] = s->extra.of[1 - which][i] + i % 3;
    for (int i = 0; i < n; i++) // loop: parallel_if
        s->extra.mark[i] += s->particles->kind[i];
}

/* Behind a variable of the file that others may change. */
void kernel_current(int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        current->particles->energy[i] += current->particles->place[i][2];
}

/* A structure of the file, with pointers. */
void kernel_own(int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        own.particles->energy[i] = own.extra.of[0][i] * 2;
}

/* A row of a table; the loop over the rows stays in order. */
void kernel_rows(double **table, int rows, int n)
{
    for (int i = 1; i < rows; i++) // loop: sequential, pair(+2 table[i][j], +2 table[i - 1][j]), because a row is read by the next iteration
        for (int j = 0; j < n; j++) // loop: parallel_if
            table[i][j] += table[i - 1][j];
}

void kernel_row(double **table, int i, int n)
{
    for (int j = 0; j < n; j++) // loop: parallel_if
        table[i][j] += 2 * table[i + 1][j];
}

/* As the branch of a condition, without braces. */
void kernel_branch(simulation *s, int which, int n)
{
    if (which == 0)
        for (int i = 0; i < n; i++) // loop: parallel_if
            s->particles->energy[i] += 1;
    else
        for (int i = 0; i < n; i++) // loop: parallel_if
            s->particles->kind[i] += which;
}

/* The first test names the counter twice, and a member that has its name. */
struct span {
    int i;
    struct particles *of;
};

void kernel_span(struct span *r, int start)
{
    for (int i = start + 1; i - 1 < r->i; i++) // loop: parallel_if
        r->of->energy[i] *= 2;
}

int main(void)
{
    simulation *s = calloc(1, sizeof *s);
    s->particles = malloc(sizeof *s->particles);
    s->cells = malloc(sizeof *s->cells);
    s->cells->first = malloc(CELLS * sizeof(int));
    s->cells->count = CELLS;
    s->cells->inverse = 0.5;
    s->scale[2] = 3;
    s->particles->count = N;
    s->particles->place = malloc(N * sizeof(vector));
    s->particles->force = malloc(N * sizeof(vector));
    s->particles->energy = malloc(N * sizeof(double));
    s->particles->kind = malloc(N * sizeof(int));
    s->extra.mark = malloc(N * sizeof(int));
    for (int i = 0; i < 2; i++) { // loop: sequential, because it allocates storage
        s->extra.of[i] = malloc(N * sizeof(double));
        for (int j = 0; j < N; j++) // loop: parallel
            s->extra.of[i][j] = (i + j) % 7;
    }
    for (int i = 0; i < N; i++) { // loop: parallel_if
        s->particles->place[i][0] = i % 5;
        s->particles->place[i][1] = i % 3;
        s->particles->place[i][2] = i % 4;
        s->particles->kind[i] = i % 2;
        s->extra.mark[i] = i % 6;
    }
    kernel_clear(s);
    printf("%g\n", kernel_push(s, 1));
    kernel_extra(s, N, 1);
    show("extra", s->extra.of[1], N);
    show_numbers("mark", s->extra.mark, N);
    current = s;
    kernel_current(N);
    kernel_branch(s, 0, N);
    kernel_branch(s, 3, N);
    struct span r = {N - 2, s->particles};
    kernel_span(&r, 2);
    show("energy", s->particles->energy, N);
    show("force", &s->particles->force[0][0], 3 * N);
    show_numbers("kind", s->particles->kind, N);
    own = *s;
    kernel_own(N);
    show("own", s->particles->energy, N);

    double *table[4];
    for (int i = 0; i < 4; i++) { // loop: sequential, because it allocates storage
        table[i] = malloc(N * sizeof(double));
        for (int j = 0; j < N; j++) // loop: parallel
            table[i][j] = (i * j) % 9;
    }
    kernel_rows(table, 4, N);
    kernel_row(table, 1, N);
    show("row", table[1], N);
    show("last row", table[3], N);
    // Both ways: rows that overlap.
    double *crossed[2] = {table[2], table[2] + 1};
    kernel_row(crossed, 0, N - 1);
    show("crossed", table[2], N);
    // Nothing is there where nothing runs.
    current = NULL;
    kernel_current(0);
    kernel_branch(NULL, 0, 0);
    kernel_extra(NULL, 0, 0);
    kernel_row(NULL, 0, 0);
    for (int i = 0; i < 4; i++) // loop: sequential, because storage is released
        free(table[i]);
    for (int i = 0; i < 2; i++) // loop: sequential, because storage is released
        free(s->extra.of[i]);
    free(s->extra.mark);
    free(s->particles->kind);
    free(s->particles->energy);
    free(s->particles->force);
    free(s->particles->place);
    free(s->particles);
    free(s->cells->first);
    free(s->cells);
    free(s);
    return 0;
}
