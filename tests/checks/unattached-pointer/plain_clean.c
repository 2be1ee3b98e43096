// Shows: the structure is mapped, and the elements of its member through it.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int n;
    double *v;
};

int main(void)
{
    int n = 100;
    double *v = malloc(n * sizeof *v);
    struct vector x = {n, v};
    double sum = 0;
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target map(to: x, x.v[0:n]) map(tofrom: sum)
    for (int i = 0; i < x.n; i++)
        sum += x.v[i];
    printf("%g\n", sum);
    free(v);
    return 0;
}
