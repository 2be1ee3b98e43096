// Shows: the environment ends with release: the result stays behind on the device.
#include <stdio.h>
#include <stdlib.h>

static void scale(int n, double *v, double by)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        v[i] *= by;
}

int main(int argc, char **argv)
{
    int n = 256 + argc;
    double *v = malloc(n * sizeof *v), sum = 0;
    (void)argv;
    for (int i = 0; i < n; i++)
        v[i] = i % 8;
    #pragma omp target enter data map(to: v[0:n])
    scale(n, v, 3);
    scale(n, v, 2);
    #pragma omp target exit data map(release: v[0:n])
    for (int i = 0; i < n; i++)
        sum += v[i]; // finds: never-copied-back v
    printf("%g\n", sum);
    free(v);
    return 0;
}
