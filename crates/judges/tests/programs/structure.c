/* A struct that holds a pointer: SHALLOW maps the struct alone. */
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int n;
    int *cells;
};

#ifdef SHALLOW
#define MAP map(tofrom: g)
#else
#define MAP map(to: g) map(tofrom: g.cells[0:g.n])
#endif

int main(void) {
    struct grid g = {301, malloc(301 * sizeof(int))};
    for (int i = 0; i < g.n; i++) g.cells[i] = i * i;
#pragma omp target teams distribute parallel for MAP
    for (int i = 0; i < g.n; i++) g.cells[i] += 7;
    long sum = 0;
    for (int i = 0; i < g.n; i++) sum += g.cells[i];
    printf("%ld\n", sum);
    free(g.cells);
    return 0;
}
