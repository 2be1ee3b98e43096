// An update fetches what a task has written, on which it depends.
#include <stdio.h>

int main(void)
{
    int a[500], sum = 0;
    for (int i = 0; i < 500; i++)
        a[i] = 0;
    #pragma omp target data map(tofrom: a)
    {
        #pragma omp target nowait depend(out: a)
        for (int i = 0; i < 500; i++)
            a[i] = i;
        #pragma omp target update from(a) depend(in: a)
        #pragma omp taskwait
        for (int i = 0; i < 500; i++)
            sum += a[i];
    }
    printf("%d\n", sum);
    return 0;
}
