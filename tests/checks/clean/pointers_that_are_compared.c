// Shows: the pointer in the structure is asked whether it is there, and its elements are read by the name under which they are mapped.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int n;
    double *v;
};

int main(void)
{
    int n = 100;
    double *v = malloc(n * sizeof *v), sum = 0;
    struct vector x = {n, v};
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target map(to: x, v[0:n]) map(tofrom: sum)
    if (x.v != NULL)
        for (int i = 0; i < x.n; i++)
            sum += v[i];
    printf("%g\n", sum);
    free(v);
    return 0;
}
