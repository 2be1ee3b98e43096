// Shows: all iterations need the first element, which the first of them changes.
// judge: race
#include <stdio.h>

int main(void)
{
    int v[300];
    for (int i = 0; i < 300; i++)
        v[i] = i % 9 + 1;
    #pragma omp target teams distribute parallel for map(tofrom: v) // finds: directive-contradicts-dependence v
    for (int i = 0; i < 300; i++)
        v[i] = v[i] + v[0];
    for (int i = 0; i < 300; i++)
        printf("%d\n", v[i]);
    return 0;
}
