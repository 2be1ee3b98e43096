// Zeroed by one thread, counted by all, read by all, with barriers between.
// judge: no race
#include <stdio.h>

int main(void)
{
    int count = 7, all = 0;
    #pragma omp parallel
    {
        #pragma omp single
        count = 0;
        #pragma omp atomic
        count++;
        #pragma omp barrier
        int mine = count;
        #pragma omp atomic
        all += mine > 0;
    }
    printf("%d\n", all > 0);
    return 0;
}
