// Each looks at it, and adds to it, atomically.
// judge: no race
#include <stdio.h>

int main(void)
{
    int sum = 1;
    #pragma omp parallel shared(sum)
    {
        for (int i = 0; i < 2000; i++) {
            int seen;
            #pragma omp atomic read
            seen = sum;
            int step = seen > 0;
            #pragma omp atomic
            sum += step;
        }
    }
    printf("%d\n", sum > 1);
    return 0;
}
