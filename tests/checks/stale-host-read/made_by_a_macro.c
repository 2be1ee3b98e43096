// A macro makes the directive and the loop that it governs; what the device writes is read before it comes back.
#include <stdio.h>

#define ON_THE_DEVICE(count) _Pragma("omp target map(tofrom: v)") for (int i = 0; i < (count); i++)

int main(void)
{
    int v[100];
    for (int i = 0; i < 100; i++)
        v[i] = i;
    #pragma omp target data map(tofrom: v)
    {
        ON_THE_DEVICE(100)
            v[i] *= 3;
        printf("%d\n", v[99]); // finds: stale-host-read v
    }
    printf("%d\n", v[50]);
    return 0;
}
