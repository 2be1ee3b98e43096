// Shows: a kernel gives the address that data have on the device back to the host, which puts it into a structure.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int n;
    double *v;
};

int main(void)
{
    int n = 100;
    double *v = malloc(n * sizeof *v), *there = v, sum = 0;
    struct vector x = {n, v};
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target data map(to: v[0:n])
    {
        #pragma omp target map(tofrom: there)
        there = v;
        x.v = there;
        #pragma omp target map(to: x) map(tofrom: sum)
        for (int i = 0; i < x.n; i++)
            sum += x.v[i];
    }
    printf("%g\n", sum);
    free(v);
    return 0;
}
