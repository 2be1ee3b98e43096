// Shows: the scratch array is allocated on the device, written there and then read there; the host never looks at it.
#include <stdio.h>
#include <stdlib.h>

static void normalise(int n, double *v)
{
    double *scratch = malloc(n * sizeof *scratch);
    #pragma omp target data map(tofrom: v[0:n]) map(alloc: scratch[0:n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            scratch[i] = 4 * v[i];
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            v[i] = scratch[i] - scratch[n - 1 - i];
    }
    free(scratch);
}

int main(void)
{
    double v[80];
    for (int i = 0; i < 80; i++)
        v[i] = i % 9;
    normalise(80, v);
    for (int i = 0; i < 80; i++)
        printf("%g\n", v[i]);
    return 0;
}
