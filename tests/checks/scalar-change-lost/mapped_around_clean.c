// The region names the scalar: it takes the one that is on the device, by the construct around.
#include <stdio.h>

static int a[100];

int main(void)
{
    int total = 1;
    for (int i = 0; i < 100; i++)
        a[i] = i % 7;
    #pragma omp target data map(tofrom: total) map(to: a)
    {
        #pragma omp target map(tofrom: total)
        for (int i = 0; i < 100; i++)
            total += a[i];
    }
    printf("%d\n", total);
    return 0;
}
