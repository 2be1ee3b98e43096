// Shows: the condition under which the region writes is the one under which the host fetches.
#include <stdio.h>
#include <stdlib.h>
static void go(int n, int mode, double *a, double *b)
{
    #pragma omp target data map(to: a[0:n], b[0:n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) {
            if (mode == 1) a[i] = i; else b[i] = i;
        }
        if (mode == 1) {
            #pragma omp target update from(a[0:n])
        } else {
            #pragma omp target update from(b[0:n])
        }
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] + b[i];
    printf("%g\n", s);
}
int main(int argc, char **argv)
{
    double a[10] = {0}, b[10] = {0};
    go(10, 1, a, b); go(10, 0, a, b); go(10, argc, a, b);
    return 0;
}
