// Each task has a block of its own.
#include <stdio.h>

int main(void)
{
    int blocks[4][100];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 100; i++)
            blocks[k][i] = k + i;
    for (int k = 0; k < 4; k++) {
        #pragma omp target map(tofrom: blocks[k:1]) nowait
        for (int i = 0; i < 100; i++)
            blocks[k][i] *= 2;
    }
    #pragma omp taskwait
    printf("%d\n", blocks[3][99]);
    return 0;
}
