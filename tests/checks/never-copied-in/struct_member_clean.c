// Shows: the member's elements are copied in before a kernel reads them.
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int n;
    int *cell;
};

static int count(struct grid *g)
{
    int found = 0, n = g->n;
    int *cell = g->cell;
    #pragma omp target teams distribute parallel for map(tofrom: found) reduction(+: found)
    for (int i = 0; i < n; i++)
        found += cell[i] > 2;
    return found;
}

int main(void)
{
    struct grid g;
    g.n = 120;
    g.cell = malloc(g.n * sizeof *g.cell);
    for (int i = 0; i < g.n; i++)
        g.cell[i] = i % 5;
    #pragma omp target data map(to: g.cell[0:g.n])
    {
        printf("%d\n", count(&g));
    }
    free(g.cell);
    return 0;
}
