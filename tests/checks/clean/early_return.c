// Shows: the function returns before it enters its environment, or leaves the environment on both ways out.
#include <stdio.h>
#include <stdlib.h>

static int process(int n, int *v)
{
    int bad = 0;
    if (n <= 0)
        return -1;
    #pragma omp target enter data map(to: v[0:n])
    #pragma omp target teams distribute parallel for map(tofrom: bad) reduction(+: bad)
    for (int i = 0; i < n; i++)
        bad += v[i] < 0;
    if (bad) {
        #pragma omp target exit data map(release: v[0:n])
        return -2;
    }
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        v[i] += 7;
    #pragma omp target exit data map(from: v[0:n])
    return v[n - 1];
}

int main(void)
{
    int n = 48, *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i;
    int empty = process(0, v), good = process(n, v);
    v[3] = -1;
    int bad = process(n, v);
    printf("%d %d %d\n", empty, good, bad);
    free(v);
    return 0;
}
