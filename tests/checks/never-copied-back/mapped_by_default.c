// What no clause names is copied to the device only: `defaultmap` says so.
#include <stdio.h>

int main(void)
{
    int v[50] = {0}, n = 50;
    #pragma omp target defaultmap(to: aggregate)
    for (int i = 0; i < n; i++)
        v[i] = i;
    printf("%d\n", v[49]); // finds: never-copied-back v
    return 0;
}
