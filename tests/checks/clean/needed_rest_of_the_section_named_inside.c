// Shows: a kernel inside maps all of a again, though it touches a part; a shorter section outside would not hold it.
#include <stdio.h>
#include <stdlib.h>

static void halve(int n, double *a)
{
    #pragma omp target teams distribute parallel for map(tofrom: a[0:2 * n])
    for (int i = 0; i < n; i++)
        a[i] = 0.5 * a[i];
}

int main(void)
{
    double *a = malloc(200 * sizeof *a);
    for (int i = 0; i < 200; i++)
        a[i] = i;
    #pragma omp target data map(tofrom: a[0:200])
    {
        halve(100, a);
        halve(100, a);
    }
    printf("%g %g\n", a[99], a[199]);
    free(a);
    return 0;
}
