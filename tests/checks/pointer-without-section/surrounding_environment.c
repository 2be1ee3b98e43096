// Shows: the environment maps the pointer; the kernels inside rely on the elements.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 90 * argc;
    double *u = malloc(n * sizeof *u);
    (void)argv;
    for (int i = 0; i < n; i++)
        u[i] = i % 10;
    #pragma omp target data map(tofrom: u) // finds: pointer-without-section u
    for (int step = 0; step < 3; step++) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            u[i] = 2 * u[i] + 1;
    }
    for (int i = 0; i < n; i++)
        printf("%g\n", u[i]);
    free(u);
    return 0;
}
