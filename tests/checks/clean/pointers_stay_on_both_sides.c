// Shows: a kernel sets the pointer of a structure; the host goes on with its own, which leads to the same data.
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
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target data map(to: x) map(tofrom: v[0:n])
    {
        #pragma omp target
        x.v = v;
        #pragma omp target
        for (int i = 0; i < x.n; i++)
            x.v[i] += 1;
    }
    printf("%g\n", x.v[3]);
    free(x.v);
    return 0;
}
