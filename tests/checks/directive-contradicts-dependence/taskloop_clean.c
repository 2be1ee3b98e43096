// Each task of a `taskloop` has its own counter of the inner loop.
// judge: no race
#include <stdio.h>

static int a[60][60];

int main(void)
{
    int i, j;
    #pragma omp parallel
    #pragma omp single
    {
        #pragma omp taskloop private(j)
        for (i = 0; i < 60; i++)
            for (j = 0; j < 60; j++)
                a[i][j] += i;
    }
    printf("%d\n", a[59][0] >= 0);
    return 0;
}
