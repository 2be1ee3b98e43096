// The data leave the device behind the last kernel that asks for them by the pointer alone.
#include <stdio.h>
#include <stdlib.h>

static double *x;

static void halve(int n)
{
    #pragma acc parallel loop present(x)
    for (int i = 0; i < n; i++)
        x[i] *= 0.5;
}

int main(void)
{
    int n = 50;
    x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = 4 * i;
    #pragma acc data copyin(x)
    {
        #pragma acc enter data copyin(x[0:n])
        #pragma acc enter data attach(x)
        halve(n);
        halve(n);
        #pragma acc exit data detach(x)
        #pragma acc exit data copyout(x[0:n])
    }
    for (int i = 0; i < n; i++)
        printf("%g\n", x[i]);
    free(x);
    return 0;
}
