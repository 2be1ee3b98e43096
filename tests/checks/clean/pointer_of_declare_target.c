// Shows: a pointer that lives on the device leads to what is mapped through it, in whatever construct, also where the data are there already.
#include <stdio.h>
#include <stdlib.h>

double *field;
double *other;
#pragma omp declare target to(field, other)

static void doubled(double *restrict out, int n)
{
    #pragma omp target teams distribute parallel for map(from: out[0:n])
    for (int i = 0; i < n; i++)
        out[i] = 2 * field[i];
}

int main(void)
{
    int n = 60;
    field = malloc(n * sizeof *field);
    other = malloc(n * sizeof *other);
    double *out = malloc(n * sizeof *out), *name = other;
    for (int i = 0; i < n; i++) {
        field[i] = i % 7;
        other[i] = i % 5;
    }
    #pragma omp target enter data map(to: field[0:n])
    doubled(out, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += out[i];
    #pragma omp target exit data map(delete: field[0:n])
    #pragma omp target data map(to: name[0:n])
    {
        #pragma omp target teams distribute parallel for map(from: out[0:n]) map(to: other[0:n])
        for (int i = 0; i < n; i++)
            out[i] = 3 * other[i];
    }
    for (int i = 0; i < n; i++)
        sum += out[i];
    printf("%g %d\n", sum, name == other);
    free(field);
    free(other);
    free(out);
    return 0;
}
