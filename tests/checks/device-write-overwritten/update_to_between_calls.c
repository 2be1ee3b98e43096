// Shows: a function adds on the device; between two calls the caller moves its own, older elements there.
#include <stdio.h>
#include <stdlib.h>

static void add(double *a, int n, double v)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += v; // finds: device-write-overwritten a
}

int main(int argc, char **argv)
{
    int n = 90 + argc;
    double *a = malloc(n * sizeof *a);
    (void)argv;
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target data map(tofrom: a[0:n])
    {
        add(a, n, 1);
        #pragma omp target update to(a[0:n])
        add(a, n, 2);
    }
    for (int i = 0; i < n; i++)
        printf("%g\n", a[i]);
    free(a);
    return 0;
}
