// Two sections, each with an array of its own.
// judge: no race
#include <stdio.h>

int main(void)
{
    int a[100], b[100];
    #pragma omp parallel sections
    {
        #pragma omp section
        for (int i = 0; i < 100; i++)
            a[i] = i;
        #pragma omp section
        for (int i = 0; i < 100; i++)
            b[i] = -i;
    }
    printf("%d %d\n", a[99], b[99]);
    return 0;
}
