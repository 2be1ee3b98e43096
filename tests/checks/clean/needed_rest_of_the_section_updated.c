// Shows: the kernel touches half of a, an update brings the other half to the device for the next one.
#include <stdio.h>

int main(void)
{
    int a[200], b[100];
    for (int i = 0; i < 200; i++)
        a[i] = i;
    #pragma omp target data map(to: a[0:200]) map(from: b)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 100; i++)
            b[i] = a[i];
        for (int i = 100; i < 200; i++)
            a[i] = -i;
        #pragma omp target update to(a[100:100])
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 100; i++)
            b[i] += a[i + 100];
    }
    printf("%d %d\n", b[0], b[99]);
    return 0;
}
