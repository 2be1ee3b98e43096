// A function puts more on the device than the kernels use, another one takes it off.
// judge: same (nothing is lost)
#include <stdio.h>
#include <stdlib.h>

static double *a;

static void begin(int n)
{
    #pragma omp target enter data map(to: a[0:2 * n]) // finds: section-longer-than-used a
}

static void end(int n)
{
    #pragma omp target exit data map(from: a[0:2 * n])
}

static void add(int n, double by)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += by;
}

int main(void)
{
    a = malloc(256 * sizeof *a);
    for (int i = 0; i < 256; i++)
        a[i] = i;
    begin(128);
    add(128, 1);
    add(64, 2);
    end(128);
    printf("%g %g %g\n", a[0], a[127], a[255]);
    free(a);
    return 0;
}
