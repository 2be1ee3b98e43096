// `always` copies a table in every step that was mapped before and never changes.
// judge: same (nothing is lost)
#include <stdio.h>
#include <stdlib.h>

static void run(int n, int steps, const double *table, double *v)
{
    #pragma omp target data map(to: table[0:n]) map(tofrom: v[0:n])
    for (int t = 0; t < steps; t++) {
        #pragma omp target teams distribute parallel for map(always, to: table[0:n]) // finds: redundant-transfer table
        for (int i = 0; i < n; i++)
            v[i] += table[i];
    }
}

int main(void)
{
    int n = 50;
    double *table = malloc(n * sizeof *table), *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++) {
        table[i] = i;
        v[i] = 0;
    }
    run(n, 4, table, v);
    printf("%g %g\n", v[1], v[49]);
    free(table);
    free(v);
    return 0;
}
