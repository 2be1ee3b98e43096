// The counter of the inner loop is one for all tasks of a `taskloop`.
// judge: race
#include <stdio.h>

static int a[60][60];

int main(void)
{
    int i, j;
    #pragma omp parallel
    #pragma omp single
    {
        #pragma omp taskloop // finds: directive-contradicts-dependence j
        for (i = 0; i < 60; i++)
            for (j = 0; j < 60; j++)
                a[i][j] += i;
    }
    printf("%d\n", a[59][0] >= 0);
    return 0;
}
