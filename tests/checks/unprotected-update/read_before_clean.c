// All have read it before the first one adds, and each adds atomically.
// judge: no race
#include <stdio.h>

int main(void)
{
    int sum = 1, last = 0;
    #pragma omp parallel shared(sum, last)
    {
        int step = sum > 0 ? 1 : 2;
        #pragma omp barrier
        for (int i = 0; i < 2000; i++) {
            #pragma omp atomic
            sum += step;
        }
        #pragma omp barrier
        #pragma omp single
        last = sum;
    }
    printf("%d\n", last > 1);
    return 0;
}
