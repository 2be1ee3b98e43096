// The host works on other data while the task runs.
#include <stdio.h>

int main(void)
{
    int a[200], b[200];
    #pragma omp target map(from: a) nowait
    for (int i = 0; i < 200; i++)
        a[i] = i;
    for (int i = 0; i < 200; i++)
        b[i] = 2 * i;
    #pragma omp taskwait
    printf("%d\n", a[199] + b[199]);
    return 0;
}
