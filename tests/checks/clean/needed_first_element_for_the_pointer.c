// Shows: the kernel touches the second half of a, and finds it by the pointer alone, which has to lead into what is there.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    double *a = malloc(200 * sizeof *a);
    for (int i = 0; i < 200; i++)
        a[i] = i;
    #pragma omp target data map(tofrom: a[0:200])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 100; i < 200; i++)
            a[i] = 0.5 * a[i];
    }
    printf("%g %g\n", a[99], a[199]);
    free(a);
    return 0;
}
