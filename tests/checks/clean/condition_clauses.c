// Shows: offloading under one condition: enter, kernels, update and exit all have the same if clause.
#include <stdio.h>
#include <stdlib.h>

static void run(int n, int *v, int use_device)
{
    #pragma omp target enter data map(to: v[0:n]) if(use_device)
    #pragma omp target teams distribute parallel for if(target: use_device)
    for (int i = 0; i < n; i++)
        v[i] += 3;
    #pragma omp target update from(v[0:n]) if(use_device)
    printf("%d\n", v[n / 2]);
    #pragma omp target teams distribute parallel for if(target: use_device)
    for (int i = 0; i < n; i++)
        v[i] *= 5;
    #pragma omp target exit data map(from: v[0:n]) if(use_device)
}

int main(int argc, char **argv)
{
    int n = 90, *v = calloc(n, sizeof *v);
    (void)argv;
    run(n, v, argc > 5);
    run(n, v, argc < 5);
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
