// Shows: what a pointer of `declare target` leads to is mapped through it, which sets the device's pointer.
#include <stdio.h>
#include <stdlib.h>

double *field;
#pragma omp declare target to(field)

int main(void)
{
    int n = 60;
    field = malloc(n * sizeof *field);
    double *out = malloc(n * sizeof *out), *name = field;
    for (int i = 0; i < n; i++)
        field[i] = i % 7;
    #pragma omp target enter data map(to: field[0:n])
    #pragma omp target teams distribute parallel for map(from: out[0:n])
    for (int i = 0; i < n; i++)
        out[i] = 2 * field[i];
    #pragma omp target exit data map(delete: field[0:n])
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += out[i];
    printf("%g %d\n", sum, name == field);
    free(field);
    free(out);
    return 0;
}
