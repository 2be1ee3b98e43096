/* Data behind a member of a structure that a pointer reaches, OpenMP and OpenACC: PART maps a part of the structure, which
 * is enough for clang and not for gcc; OTHER reads mapped storage by another pointer. With OpenACC, ALLOCATED allocates
 * what has to be copied in. */
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int n;
    int *cells;
};

#ifdef PART
#define STRUCTURE g->n
#else
#define STRUCTURE g[0:1]
#endif

static void change(struct grid *g, const int *x, int n) {
#ifdef OTHER
    const int *y = x + 1;
#else
#define y x
#endif
#ifdef ALLOCATED
#pragma acc parallel loop create(x[0:n]) copyin(STRUCTURE) copy(g->cells[0:n])
#else
#pragma acc parallel loop copyin(STRUCTURE, x[0:n]) copy(g->cells[0:n])
#endif
#pragma omp target teams distribute parallel for map(to: STRUCTURE, x[0:n]) map(tofrom: g->cells[0:n])
    for (int i = 0; i < n; i++) g->cells[i] += y[0] + g->n;
}

int main(void) {
    struct grid *g = malloc(sizeof *g);
    int *x = malloc(301 * sizeof(int));
    *g = (struct grid){301, malloc(301 * sizeof(int))};
    for (int i = 0; i < 301; i++) g->cells[i] = x[i] = i * i + 3;
    change(g, x, 301);
    long sum = 0;
    for (int i = 0; i < g->n; i++) sum += g->cells[i];
    printf("%ld\n", sum);
    free(g->cells);
    free(g);
    free(x);
    return 0;
}
