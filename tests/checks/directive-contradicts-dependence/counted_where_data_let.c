// Counts elements under a condition, without a reduction.
// judge: race
#include <stdio.h>

int main(void)
{
    int v[600];
    for (int i = 0; i < 600; i++)
        v[i] = i * 37 % 101;
    int count = 0;
    #pragma omp target teams distribute parallel for map(to: v) map(tofrom: count) // finds: directive-contradicts-dependence count
    for (int i = 0; i < 600; i++)
        if (v[i] % 3 == 0)
            count++;
    printf("%d\n", count);
    return 0;
}
