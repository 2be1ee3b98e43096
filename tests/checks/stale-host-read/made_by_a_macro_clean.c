// A macro makes the directive and the loop that it governs, and another one the update before the host reads.
#include <stdio.h>

#define ON_THE_DEVICE(count) _Pragma("omp target map(tofrom: v)") for (int i = 0; i < (count); i++)
#define SHOW(number) \
    do { \
        _Pragma("omp target update from(v)") \
        printf("%d\n", v[number]); \
    } while (0)

int main(void)
{
    int v[100];
    for (int i = 0; i < 100; i++)
        v[i] = i;
    #pragma omp target data map(tofrom: v)
    {
        ON_THE_DEVICE(100)
            v[i] *= 3;
        SHOW(99);
    }
    printf("%d\n", v[50]);
    return 0;
}
