// A function of the library reads what the device has changed: the copy has the old values.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int n = 50;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma omp target enter data map(to: a[0:n])
#pragma omp target
    for (int i = 0; i < n; i++)
        a[i] *= 2;
#pragma omp target update from(a[0:n])
    memcpy(b, a, n * sizeof *a);
#pragma omp target exit data map(release: a[0:n])
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += b[i];
    printf("%.0f\n", sum);
    free(a);
    free(b);
    return 0;
}
