// The scalar is on the device, by the construct around; the region has a copy of its own all the same, and what comes back is the value from before.
#include <stdio.h>

static int a[100];

int main(void)
{
    int total = 1;
    for (int i = 0; i < 100; i++)
        a[i] = i % 7;
    #pragma omp target data map(tofrom: total) map(to: a)
    {
        #pragma omp target
        for (int i = 0; i < 100; i++)
            total += a[i];
    }
    printf("%d\n", total); // finds: scalar-change-lost total
    return 0;
}
