// The host sets a scalar that the data construct around has on the device already: the region has no copy of its own.
#include <stdio.h>

static int a[100];

int main(void)
{
    int factor = 1;
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma acc data copy(a) copyin(factor)
    {
        factor = 3;
        #pragma acc parallel loop
        for (int i = 0; i < 100; i++)
            a[i] *= factor; // finds: stale-device-read factor
    }
    printf("%d\n", a[10]);
    return 0;
}
