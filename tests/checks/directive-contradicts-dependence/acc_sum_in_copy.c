// Shows: copy makes the sum one variable of the device, which all gangs add to at a time.
// judge: same (the second memory runs iterations one after the other)
#include <stdio.h>

static double a[1000];

int main(void)
{
    double s = 0;
    for (int i = 0; i < 1000; i++)
        a[i] = i % 37;
    #pragma acc parallel loop copyin(a) copy(s) // finds: directive-contradicts-dependence s
    for (int i = 0; i < 1000; i++)
        s += a[i];
    printf("%g\n", s);
    return 0;
}
