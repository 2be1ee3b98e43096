// The host writes its own copy while the kernel works on that of the device.
#include <stdio.h>

int main(void)
{
    int a[200], copy[200];
    for (int i = 0; i < 200; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a)
    #pragma omp target map(from: copy) nowait
    for (int i = 0; i < 200; i++)
        copy[i] = a[i];
    #pragma omp taskwait
    #pragma omp target exit data map(delete: a)
    for (int i = 0; i < 200; i++)
        a[i] = 0;
    printf("%d %d\n", a[5], copy[5]);
    return 0;
}
