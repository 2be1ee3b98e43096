// Every step copies v to the device and back; the host reads it behind the loop.
// judge: same (nothing is lost)
#include <stdio.h>

int main(void)
{
    int v[100];
    for (int i = 0; i < 100; i++)
        v[i] = i;
    for (int t = 0; t < 10; t++) {
        #pragma omp target teams distribute parallel for map(tofrom: v) // finds: transfer-in-loop v
        for (int i = 0; i < 100; i++)
            v[i] += t;
    }
    printf("%d %d\n", v[0], v[99]);
    return 0;
}
