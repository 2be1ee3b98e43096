// Shows: a mapping with always moves the host's elements over those that an earlier kernel has computed.
#include <stdio.h>

int main(void)
{
    int level[64];
    for (int k = 0; k < 64; k++)
        level[k] = 64 - k;
    #pragma omp target data map(tofrom: level)
    {
        #pragma omp target teams distribute parallel for
        for (int k = 0; k < 64; k++)
            level[k] = level[k] * 2 + 1;
        #pragma omp target teams distribute parallel for map(always, to: level)
        for (int k = 0; k < 64; k++)
            level[k] -= 7; // finds: device-write-overwritten level
    }
    for (int k = 0; k < 64; k++)
        printf("%d\n", level[k]);
    return 0;
}
