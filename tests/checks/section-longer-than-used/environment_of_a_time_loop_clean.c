// The n elements that are used are on the device.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    int n = 49 + argc;
    double *a = malloc(4 * n * sizeof *a);
    double *v = malloc(n * sizeof *v);
    for (int i = 0; i < 4 * n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        v[i] = 0;
    #pragma omp target data map(to: a[0:n]) map(tofrom: v[0:n])
    for (int step = 0; step < 3; step++) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            v[i] += a[i];
    }
    printf("%g %g\n", v[0], v[n - 1]);
    free(a);
    free(v);
    return 0;
}
