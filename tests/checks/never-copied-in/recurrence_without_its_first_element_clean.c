// The device sets each element from the one before; the first one is copied there.
#include <stdio.h>

int main(void)
{
    double a[60], sum = 0;
    a[0] = 1;
    #pragma omp target map(tofrom: a)
    for (int i = 1; i < 60; i++)
        a[i] = a[i - 1] * 0.75;
    for (int i = 0; i < 60; i++)
        sum += a[i];
    printf("%.6f\n", sum);
    return 0;
}
