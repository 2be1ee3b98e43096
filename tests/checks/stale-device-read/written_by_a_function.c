// Shows: between two kernels a function of the host refills the mapped array.
#include <stdio.h>
#include <stdlib.h>

static void fill(int *values, int n, int seed)
{
    for (int i = 0; i < n; i++)
        values[i] = (seed * i + 3) % 17;
}

static int largest(const int *values, int n)
{
    int best = -1;
    #pragma omp target teams distribute parallel for map(tofrom: best) reduction(max: best)
    for (int i = 0; i < n; i++)
        best = values[i] * n + i > best ? values[i] * n + i : best; // finds: stale-device-read values
    return best;
}

int main(int argc, char **argv)
{
    int n = 70 + argc;
    int *values = malloc(n * sizeof *values);
    (void)argv;
    fill(values, n, 2);
    #pragma omp target enter data map(to: values[0:n])
    fill(values, n, 5);
    printf("%d\n", largest(values, n));
    #pragma omp target exit data map(delete: values[0:n])
    free(values);
    return 0;
}
