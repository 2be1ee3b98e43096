// Shows: offloading under one condition: enter, kernels, update and exit all ask the same variable.
#include <stdio.h>
#include <stdlib.h>

static void relax(int n, int *u, int use_device)
{
    #pragma omp target teams distribute parallel for if(target: use_device)
    for (int i = 0; i < n; i++)
        u[i] = 2 * u[i] + 1;
}

static long run(int n, int use_device)
{
    long sum = 0;
    int *u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = i;
    if (use_device) {
        #pragma omp target enter data map(to: u[0:n])
    }
    for (int step = 0; step < 3; step++)
        relax(n, u, use_device);
    if (use_device) {
        #pragma omp target exit data map(from: u[0:n])
    }
    for (int i = 0; i < n; i++)
        sum += u[i];
    free(u);
    return sum;
}

int main(void)
{
    printf("%ld\n", run(70, 0));
    printf("%ld\n", run(70, 1));
    return 0;
}
