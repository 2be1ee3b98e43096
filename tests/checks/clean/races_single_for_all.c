// `copyprivate` hands on what one thread read.
// judge: no race
#include <stdio.h>

int main(void)
{
    int v[90];
    #pragma omp parallel
    {
        int start;
        #pragma omp single copyprivate(start)
        start = 4;
        #pragma omp for
        for (int i = 0; i < 90; i++)
            v[i] = start + i;
    }
    printf("%d\n", v[89]);
    return 0;
}
