// Shows: every thread reads the sum for itself before it adds to it.
// judge: race
#include <stdio.h>

int main(void)
{
    int sum = 1, last = 0;
    #pragma omp parallel shared(sum, last)
    {
        int step = sum > 0 ? 1 : 2;
        for (int i = 0; i < 2000; i++)
            sum += step; // finds: unprotected-update sum
        #pragma omp barrier
        #pragma omp single
        last = sum;
    }
    printf("%d\n", last > 1);
    return 0;
}
