// The first thread sets a value between two barriers.
// judge: no race
#include <stdio.h>

static void once(double *scale)
{
    #pragma omp barrier
    #pragma omp master
    *scale = 0.5;
    #pragma omp barrier
}

int main(void)
{
    double scale = 0.0, v[100];
    #pragma omp parallel
    {
        once(&scale);
        #pragma omp for
        for (int i = 0; i < 100; i++)
            v[i] = scale * i;
    }
    printf("%g\n", v[99]);
    return 0;
}
