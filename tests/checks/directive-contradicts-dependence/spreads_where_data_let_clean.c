// An element is set where the one before it said so before the loop.
// judge: no race
#include <stdio.h>

int main(void)
{
    int v[600];
    for (int i = 0; i < 600; i++)
        v[i] = i * 37 % 101;
    long sum = 0;
    int old[600];
    for (int i = 0; i < 600; i++)
        old[i] = v[i];
    #pragma omp parallel for
    for (int i = 1; i < 600; i++)
        if (old[i - 1] % 4 != 0)
            v[i] = old[i - 1] + 1;
    for (int i = 0; i < 600; i++)
        sum += v[i];
    printf("%ld\n", sum);
    return 0;
}
