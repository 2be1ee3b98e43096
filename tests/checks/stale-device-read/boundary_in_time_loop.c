// Shows: each step the host sets the left boundary, but the device keeps the first one.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 90;
    int *u = calloc(n, sizeof *u), *v = calloc(n, sizeof *v);
    #pragma omp target data map(tofrom: u[0:n]) map(alloc: v[0:n])
    for (int step = 1; step <= 5; step++) {
        u[0] = step * 10;
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < n; i++)
            v[i] = u[i - 1] + u[i]; // finds: stale-device-read u
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < n; i++)
            u[i] = v[i];
    }
    for (int i = 1; i < n; i++)
        printf("%d\n", u[i]);
    free(u);
    free(v);
    return 0;
}
