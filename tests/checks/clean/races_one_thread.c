// A region of one thread needs no barriers.
// judge: no race
#include <stdio.h>

int main(void)
{
    int a[100], b[100];
    #pragma omp parallel num_threads(1)
    {
        #pragma omp for nowait
        for (int i = 0; i < 100; i++)
            a[i] = i;
        #pragma omp for
        for (int i = 0; i < 100; i++)
            b[i] = a[99 - i];
    }
    printf("%d\n", b[0]);
    return 0;
}
