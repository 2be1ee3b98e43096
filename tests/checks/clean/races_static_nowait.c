// Two loops of one schedule: each thread goes on with its own elements.
// judge: no race
#include <stdio.h>

int main(void)
{
    int a[300], b[300];
    #pragma omp parallel
    {
        #pragma omp for schedule(static) nowait
        for (int i = 0; i < 300; i++)
            a[i] = i;
        #pragma omp for schedule(static) nowait
        for (int i = 0; i < 300; i++)
            b[i] = a[i] + 1;
    }
    printf("%d\n", b[299]);
    return 0;
}
