// memcpy reads what came back.
#include <stdio.h>
#include <string.h>

int main(void)
{
    int v[30], copy[30];
    for (int i = 0; i < 30; i++)
        v[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: v)
    for (int i = 0; i < 30; i++)
        v[i] += 1;
    memcpy(copy, v, sizeof v);
    printf("%d\n", copy[29]);
    return 0;
}
