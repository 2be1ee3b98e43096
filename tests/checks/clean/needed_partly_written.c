// The kernel writes one half, and the host reads both.
#include <stdio.h>

int main(void)
{
    int v[40];
    for (int i = 0; i < 40; i++)
        v[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: v)
    for (int i = 0; i < 20; i++)
        v[i] = -i;
    printf("%d %d\n", v[19], v[39]);
    return 0;
}
