// A taskgroup ends before the host reads.
#include <stdio.h>

int main(void)
{
    int a[200];
    #pragma omp taskgroup
    {
        #pragma omp target map(from: a) nowait
        for (int i = 0; i < 200; i++)
            a[i] = i;
    }
    printf("%d\n", a[199]);
    return 0;
}
