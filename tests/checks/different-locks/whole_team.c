// Every thread goes through both critical regions, each with a loop of its own over the array.
// judge: race
#include <stdio.h>

int main(void)
{
    int seen[32] = {0};
    #pragma omp parallel
    {
        for (int round = 0; round < 500; round++) {
            #pragma omp critical(first)
            for (int k = 0; k < 32; k++)
                seen[k] += 1;
            #pragma omp critical(second)
            for (int k = 31; k >= 0; k--)
                seen[k] -= 1; // finds: different-locks seen
        }
    }
    printf("%d\n", seen[7]);
    return 0;
}
