// The host waits between the two functions.
#include <stdio.h>

static double storage[500];

static void start(double *v, int n)
{
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n]) nowait
    for (int i = 0; i < n; i++)
        v[i] = 2.0 * v[i] + 1.0;
}

static void shift(double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = v[i] * 1.0;
}

int main(void)
{
    start(storage, 500);
    #pragma omp taskwait
    shift(storage, 500);
    #pragma omp taskwait
    printf("%d\n", storage[3] >= 0.0);
    return 0;
}
