// An update fetches what a task without a wait may still be writing.
// judge: same (the task may be done before the update begins)
#include <stdio.h>

int main(void)
{
    int a[500], sum = 0;
    for (int i = 0; i < 500; i++)
        a[i] = 0;
    #pragma omp target data map(tofrom: a)
    {
        #pragma omp target nowait
        for (int i = 0; i < 500; i++)
            a[i] = i;
        #pragma omp target update from(a) // finds: unordered-tasks a
        #pragma omp taskwait
        for (int i = 0; i < 500; i++)
            sum += a[i];
    }
    printf("%d\n", sum >= 0);
    return 0;
}
