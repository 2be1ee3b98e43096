// Shows: a kernel writes mapped data through the pointer that use_device_ptr gives.
#include <stdio.h>
#include <stdlib.h>

static void fill(int *p, int n)
{
    #pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < n; i++)
        p[i] = 2 * i;
}

int main(void)
{
    int n = 100, *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target data map(from: a[0:n])
    {
        #pragma omp target data use_device_ptr(a)
        fill(a, n);
    }
    printf("%d\n", a[3]);
    free(a);
    return 0;
}
