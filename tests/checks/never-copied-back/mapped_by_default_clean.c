// What no clause names comes back from the device: `defaultmap` says so.
#include <stdio.h>

int main(void)
{
    int v[50] = {0}, n = 50;
    #pragma omp target defaultmap(from: aggregate)
    for (int i = 0; i < n; i++)
        v[i] = i;
    printf("%d\n", v[49]);
    return 0;
}
