// Shows: two kernels write one half each of an array that only comes back.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 75 + argc, half = n / 2, *v = calloc(n, sizeof *v);
    (void)argv;
    #pragma omp target data map(from: v[0:n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < half; i++)
            v[i] = i;
        #pragma omp target teams distribute parallel for
        for (int i = half; i < n; i++)
            v[i] = n - i;
    }
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
