// The pointers are on the device, too; the kernel names them alone, and reads more than there is.
#include <stdio.h>
#include <stdlib.h>

static double *x, *y;

static void smooth(int n)
{
    #pragma acc parallel loop present(x, y)
    for (int i = 1; i < n - 1; i++)
        y[i] = x[i - 1] + x[i] + x[i + 1]; // finds: section-too-short x
}

int main(void)
{
    int n = 64;
    x = malloc(n * sizeof *x);
    y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 0;
    }
    #pragma acc data copyin(x, y)
    {
        #pragma acc enter data copyin(x[1:n - 2], y[0:n])
        #pragma acc enter data attach(x, y)
        smooth(n);
        #pragma acc exit data detach(x, y)
        #pragma acc exit data delete(x[1:n - 2]) copyout(y[0:n])
    }
    for (int i = 0; i < n; i++)
        printf("%g\n", y[i]);
    free(x);
    free(y);
    return 0;
}
