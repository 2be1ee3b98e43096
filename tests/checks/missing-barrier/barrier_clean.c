// The first loop ends with its barrier.
// judge: no race
#include <stdio.h>

static void smooth(int n, double *restrict to, double *restrict mid, const double *restrict from)
{
    #pragma omp target map(to: from[0:n]) map(from: to[0:n]) map(alloc: mid[0:n])
    #pragma omp parallel
    {
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            mid[i] = 0.5 * from[i];
        #pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            to[i] = 2.0 * mid[n - 1 - i];
    }
}

int main(void)
{
    static double a[301], b[301], c[301];
    for (int i = 0; i < 301; i++)
        a[i] = i;
    smooth(301, c, b, a);
    printf("%g %g\n", c[0], c[299]);
    return 0;
}
