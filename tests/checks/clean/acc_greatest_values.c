// Shows: whether a scalar that no clause names is reduced is the compiler's business in a kernels construct, for greatest values as for sums.
#include <math.h>
#include <stdio.h>

int main(void)
{
    double a[100], error = 0, sum = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i % 17;
    #pragma acc kernels loop independent copyin(a)
    for (int i = 0; i < 100; i++)
        error = fmax(error, a[i]);
    #pragma acc kernels loop independent copyin(a)
    for (int i = 0; i < 100; i++)
        sum += a[i];
    printf("%g %g\n", error, sum);
    return 0;
}
