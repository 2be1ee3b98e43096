// Shows: every thread looks at the sum before it adds to it.
// judge: race
#include <stdio.h>

int main(void)
{
    int sum = 1;
    #pragma omp parallel shared(sum)
    {
        for (int i = 0; i < 2000; i++) {
            int step = sum > 0;
            sum += step; // finds: unprotected-update sum
        }
    }
    printf("%d\n", sum > 1);
    return 0;
}
