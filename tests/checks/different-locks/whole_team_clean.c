// Both critical regions have one name.
// judge: no race
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
            #pragma omp critical(first)
            for (int k = 31; k >= 0; k--)
                seen[k] -= 1;
        }
    }
    printf("%d\n", seen[7]);
    return 0;
}
