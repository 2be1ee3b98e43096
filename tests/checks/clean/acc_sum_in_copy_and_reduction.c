// Shows: the sum is in copy and in reduction; a scratch scalar is in private; a kernels construct, whose loops a compiler may leave in order.
#include <stdio.h>

static double a[1000], b[1000];

int main(void)
{
    double s = 0, t = 0, u = 0;
    for (int i = 0; i < 1000; i++)
        a[i] = i % 37;
    #pragma acc parallel loop copyin(a) copy(s) reduction(+: s)
    for (int i = 0; i < 1000; i++)
        s += a[i];
    #pragma acc parallel loop copyin(a) copyout(b) private(t)
    for (int i = 0; i < 1000; i++) {
        t = a[i] * 2;
        b[i] = t;
    }
    #pragma acc kernels copyin(a) copy(u)
    for (int i = 0; i < 1000; i++)
        u += a[i];
    printf("%g %g %g\n", s, u, b[7]);
    return 0;
}
