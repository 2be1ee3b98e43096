// All wait for the thread that sets the sum.
// judge: no race
#include <stdio.h>

static long sum;

int main(void)
{
    #pragma omp parallel
    {
        #pragma omp single
        sum = 100;
        #pragma omp atomic
        sum += 0;
    }
    printf("%ld\n", sum);
    return 0;
}
