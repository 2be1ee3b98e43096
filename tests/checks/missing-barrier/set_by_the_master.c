// The first thread sets what all others read; `master` has no barrier.
// judge: race
#include <stdio.h>

int main(void)
{
    double scale = 0.0, v[200];
    #pragma omp parallel
    {
        #pragma omp master
        scale = 2.5;
        #pragma omp for
        for (int i = 0; i < 200; i++)
            v[i] = scale * i; // finds: missing-barrier scale
    }
    printf("%g %g\n", v[1], v[199]);
    return 0;
}
