// One thread sets the sum while others already add to it.
// judge: race
#include <stdio.h>

static long sum;

int main(void)
{
    #pragma omp parallel
    {
        #pragma omp single nowait
        sum = 100;
        #pragma omp atomic
        sum += 0; // finds: atomic-and-plain sum
    }
    printf("%ld\n", sum);
    return 0;
}
