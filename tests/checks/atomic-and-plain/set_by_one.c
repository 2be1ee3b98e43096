// One thread sets the sum while others already add to it.
// judge: race
#include <stdio.h>

static double sum;

int main(void)
{
    #pragma omp parallel
    {
        #pragma omp single nowait
        sum = 100.0;
        #pragma omp atomic
        sum += 0.0; // finds: atomic-and-plain sum
    }
    printf("%g\n", sum);
    return 0;
}
