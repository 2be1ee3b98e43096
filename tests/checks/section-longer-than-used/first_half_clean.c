// The half that changes is copied both ways.
#include <stdio.h>

int main(void)
{
    double a[200];
    for (int i = 0; i < 200; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:100])
    for (int i = 0; i < 100; i++)
        a[i] = 2 * a[i];
    printf("%g %g %g\n", a[1], a[99], a[199]);
    return 0;
}
