// The pointer is on the device, too; the kernel names it alone, and means what it leads to.
#include <stdio.h>
#include <stdlib.h>

static double *x;

static double sum(int n)
{
    double s = 0;
    #pragma acc parallel loop present(x) reduction(+: s)
    for (int i = 0; i < n; i++)
        s += x[i]; // finds: stale-device-read x
    return s;
}

int main(void)
{
    int n = 100;
    x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = i;
    #pragma acc enter data copyin(x)
    #pragma acc enter data copyin(x[0:n])
    #pragma acc enter data attach(x)
    for (int i = 0; i < n; i++)
        x[i] = 1;
    printf("%g\n", sum(n));
    #pragma acc exit data detach(x)
    #pragma acc exit data delete(x[0:n])
    #pragma acc exit data delete(x)
    free(x);
    return 0;
}
