// An environment around the loop keeps v on the device.
#include <stdio.h>

int main(void)
{
    int v[100];
    for (int i = 0; i < 100; i++)
        v[i] = i;
    #pragma omp target data map(tofrom: v)
    for (int t = 0; t < 10; t++) {
        #pragma omp target teams distribute parallel for map(tofrom: v)
        for (int i = 0; i < 100; i++)
            v[i] += t;
    }
    printf("%d %d\n", v[0], v[99]);
    return 0;
}
