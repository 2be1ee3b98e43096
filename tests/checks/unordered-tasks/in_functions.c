// One function starts a task, another one works on the same on the host.
// judge: same (the task may be done before the host goes on)
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
        v[i] = v[i] * 1.0; // finds: unordered-tasks v
}

int main(void)
{
    start(storage, 500);
    shift(storage, 500);
    #pragma omp taskwait
    printf("%d\n", storage[3] >= 0.0);
    return 0;
}
