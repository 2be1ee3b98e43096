// Shows: a structure of which the members are mapped one by one, for several kernels that go through it.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int n;
    double *v;
};

static double sum_of(struct vector *p)
{
    double sum = 0;
    #pragma omp target map(tofrom: sum)
    for (int i = 0; i < p->n; i++)
        sum += p->v[i];
    return sum;
}

int main(void)
{
    int n = 100;
    double *v = malloc(n * sizeof *v);
    struct vector x = {n, v}, *p = &x;
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target enter data map(to: p->n, p->v, p->v[0:n])
    double sum = sum_of(p);
    #pragma omp target
    for (int i = 0; i < n; i++)
        p->v[i] += 1;
    sum += sum_of(p);
    #pragma omp target exit data map(from: p->v[0:n])
    #pragma omp target exit data map(delete: p->n, p->v)
    printf("%g %g\n", sum, v[3]);
    free(v);
    return 0;
}
