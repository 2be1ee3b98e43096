// All wait for the thread that sets the sum.
// judge: no race
#include <stdio.h>

static double sum;

int main(void)
{
    #pragma omp parallel
    {
        #pragma omp single
        sum = 100.0;
        #pragma omp atomic
        sum += 0.0;
    }
    printf("%g\n", sum);
    return 0;
}
