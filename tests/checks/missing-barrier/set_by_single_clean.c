// `single` ends with a barrier.
// judge: no race
#include <stdio.h>

int main(void)
{
    double scale = 0.0, v[200];
    #pragma omp parallel
    {
        #pragma omp single
        scale = 2.5;
        #pragma omp for
        for (int i = 0; i < 200; i++)
            v[i] = scale * i;
    }
    printf("%g %g\n", v[1], v[199]);
    return 0;
}
