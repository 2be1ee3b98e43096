// A reduction begins with the value of the host.
#include <stdio.h>

int main(void)
{
    int v[40], sum = 5;
    for (int i = 0; i < 40; i++)
        v[i] = i;
    #pragma omp target teams distribute parallel for map(to: v) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < 40; i++)
        sum += v[i];
    printf("%d\n", sum);
    return 0;
}
