// The end of `single` waits for the tasks that it made.
#include <stdio.h>

int main(void)
{
    int a[150], b[150];
    #pragma omp parallel
    {
        #pragma omp single
        {
            #pragma omp target map(from: a) nowait
            for (int i = 0; i < 150; i++)
                a[i] = i;
        }
        #pragma omp for
        for (int i = 0; i < 150; i++)
            b[i] = a[149 - i];
    }
    printf("%d\n", b[0]);
    return 0;
}
