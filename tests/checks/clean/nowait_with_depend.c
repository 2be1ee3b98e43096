// Shows: kernels with nowait are ordered by depend, and the host waits before it reads.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 58, *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target enter data map(to: v[0:n])
    #pragma omp target teams distribute parallel for nowait depend(inout: v[0])
    for (int i = 0; i < n; i++)
        v[i] += 2;
    #pragma omp target teams distribute parallel for nowait depend(inout: v[0])
    for (int i = 0; i < n; i++)
        v[i] *= 3;
    #pragma omp target exit data map(from: v[0:n]) nowait depend(inout: v[0])
    #pragma omp taskwait
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
