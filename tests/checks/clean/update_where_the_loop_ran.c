// Shows: the update back stands under a condition that holds just where the time loop runs.
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int steps = argc - 1;
    int n = 20;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) a[i] = b[i] = i;
    #pragma omp target data map(to: a[0:n]) map(alloc: b[0:n])
    {
        for (int t = 0; t < steps; t++) {
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < n; i++) b[i] = a[i] + 1;
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < n; i++) a[i] = b[i];
        }
        if (steps > 0) {
            #pragma omp target update from(a[0:n])
        }
    }
    printf("%g\n", a[n-1]);
    free(a); free(b);
    return 0;
}
