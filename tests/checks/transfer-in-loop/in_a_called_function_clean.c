// The caller has an environment around its loop.
#include <stdio.h>
#include <stdlib.h>

static void step(int n, const double *x, double *y)
{
    #pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = y[i] + x[i];
}

int main(void)
{
    int n = 64;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 0;
    }
    #pragma omp target data map(to: x[0:n]) map(tofrom: y[0:n])
    for (int t = 0; t < 8; t++)
        step(n, x, y);
    printf("%g\n", y[63]);
    free(x);
    free(y);
    return 0;
}
