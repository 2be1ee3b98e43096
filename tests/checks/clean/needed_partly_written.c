// The kernel writes most of v, and the host reads all.
#include <stdio.h>

int main(void)
{
    int v[40];
    for (int i = 0; i < 40; i++)
        v[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: v)
    for (int i = 0; i < 32; i++)
        v[i] = -i;
    printf("%d %d\n", v[31], v[39]);
    return 0;
}
