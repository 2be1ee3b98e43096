// Shows: the block with its halo is mapped while the block itself is present.
#include <stdio.h>
#include <stdlib.h>

static void relax(const double *u, double *v, int first, int count)
{
    #pragma omp target teams distribute parallel for map(to: u[first - 1:count + 2]) map(from: v[first:count]) // finds: partial-overlap u
    for (int i = first; i < first + count; i++)
        v[i] = u[i - 1] + u[i + 1];
}

int main(int argc, char **argv)
{
    int n = 80 + 2 * argc, first = 1, count = n - 2;
    double *u = malloc(n * sizeof *u), *v = calloc(n, sizeof *v);
    (void)argv;
    for (int i = 0; i < n; i++)
        u[i] = i % 7;
    #pragma omp target data map(to: u[first:count])
    {
        relax(u, v, first, count);
    }
    for (int i = 0; i < n; i++)
        printf("%g\n", v[i]);
    free(u);
    free(v);
    return 0;
}
