// Shows: a region for the device that is the host itself reads what the host has.
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_initial_device(void)
{
    return 0;
}
#endif

int main(void)
{
    int a[10], sum = 0, host = omp_get_initial_device();
    for (int i = 0; i < 10; i++)
        a[i] = i;
    #pragma omp target data map(alloc: a)
    {
        #pragma omp target map(tofrom: sum) device(host)
        for (int i = 0; i < 10; i++)
            sum += a[i];
    }
    printf("%d %d\n", sum, host >= 0);
    return 0;
}
