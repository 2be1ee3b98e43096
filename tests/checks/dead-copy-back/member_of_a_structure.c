// The data of the structure are read by the kernel, and copied back.
// judge: same (nothing is lost)
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int n;
    double *data;
};

static double norm(const struct vector *v)
{
    double sum = 0;
    int n = v->n;
    const double *data = v->data;
    #pragma omp target teams distribute parallel for map(tofrom: data[0:n]) map(tofrom: sum) reduction(+: sum) // finds: dead-copy-back data
    for (int i = 0; i < n; i++)
        sum += data[i] * data[i];
    return sum;
}

int main(void)
{
    struct vector v = {40, malloc(40 * sizeof(double))};
    for (int i = 0; i < 40; i++)
        v.data[i] = i;
    printf("%g\n", norm(&v));
    free(v.data);
    return 0;
}
