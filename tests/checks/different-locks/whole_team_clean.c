// A barrier is between the two critical regions.
// judge: no race
#include <stdio.h>

int main(void)
{
    int seen[32] = {0};
    #pragma omp parallel
    {
        #pragma omp critical(first)
        for (int k = 0; k < 32; k++)
            seen[k] += 1;
        #pragma omp barrier
        #pragma omp critical(second)
        for (int k = 31; k >= 0; k--)
            seen[k] *= 1;
    }
    printf("%d\n", seen[7] > 0);
    return 0;
}
