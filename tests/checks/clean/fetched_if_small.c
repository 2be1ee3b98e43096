// Shows: values are copied back, and printed, for small problems only.
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20;
    double *a = malloc(n * sizeof *a), s = 0;
    for (int i = 0; i < n; i++) a[i] = i;
    int small = n <= 50;
    #pragma omp target enter data map(to: a[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) a[i] *= 2;
    #pragma omp target teams distribute parallel for reduction(+: s) map(tofrom: s)
    for (int i = 0; i < n; i++) s += a[i];
    if (small) {
        #pragma omp target update from(a[0:n])
    }
    #pragma omp target exit data map(release: a[0:n])
    printf("%g\n", s);
    if (small)
        for (int i = 0; i < n; i++) printf("%g ", a[i]);
    printf("\n");
    free(a);
    return 0;
}
