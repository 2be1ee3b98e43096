// Shows: map(always, ...) copies although the data are present: in before the kernel, out behind it.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 44, *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target data map(alloc: v[0:n])
    for (int step = 0; step < 3; step++) {
        #pragma omp target teams distribute parallel for map(always, tofrom: v[0:n])
        for (int i = 0; i < n; i++)
            v[i] = 3 * v[i] + step;
        for (int i = 0; i < n; i++)
            v[i] %= 100;
    }
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
