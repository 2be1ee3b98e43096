// A function maps its result both ways, whatever the caller gives it.
// judge: same (nothing is lost)
#include <stdio.h>
#include <stdlib.h>

static void scale(int n, const double *x, double *y)
{
    #pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n]) // finds: dead-copy-in y
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

int main(void)
{
    int n = 70;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
    for (int i = 0; i < n; i++)
        x[i] = i;
    for (int i = 0; i < n; i++)
        y[i] = z[i] = -1;
    scale(n, x, y);
    scale(n, y, z);
    printf("%g %g\n", y[69], z[69]);
    free(x);
    free(y);
    free(z);
    return 0;
}
