// An element is set where the one before it says so, which another iteration may be setting.
// judge: race
#include <stdio.h>

int main(void)
{
    int v[600];
    for (int i = 0; i < 600; i++)
        v[i] = i * 37 % 101;
    long sum = 0;
    #pragma omp parallel for // finds: directive-contradicts-dependence v
    for (int i = 1; i < 600; i++)
        if (v[i - 1] % 4 != 0)
            v[i] = v[i - 1] + 1;
    for (int i = 0; i < 600; i++)
        sum += v[i];
    printf("%ld\n", sum);
    return 0;
}
