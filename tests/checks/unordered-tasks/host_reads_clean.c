// The host waits before it sums up.
#include <stdio.h>

int main(void)
{
    int a[1000];
    for (int i = 0; i < 1000; i++)
        a[i] = i;
    #pragma omp target map(tofrom: a) nowait
    for (int i = 0; i < 1000; i++)
        a[i] += 1;
    #pragma omp taskwait
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += a[i];
    printf("%d\n", sum > 0);
    return 0;
}
