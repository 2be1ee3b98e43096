// That block is mapped.
#include <stdio.h>

int main(void)
{
    float a[400], total = 0;
    for (int i = 0; i < 400; i++)
        a[i] = 1;
    #pragma acc parallel loop reduction(+: total) copyin(a[0:100])
    for (int i = 0; i < 100; i++)
        total += a[i];
    printf("%g %g\n", total, a[399]);
    return 0;
}
