// One of four blocks is read.
// judge: same (nothing is lost)
#include <stdio.h>

int main(void)
{
    float a[400], total = 0;
    for (int i = 0; i < 400; i++)
        a[i] = 1;
    #pragma acc parallel loop reduction(+: total) copyin(a[0:400]) // finds: section-longer-than-used a
    for (int i = 0; i < 100; i++)
        total += a[i];
    printf("%g %g\n", total, a[399]);
    return 0;
}
