// Shows: the host sets a pointer of a structure to other data before the structure comes to the device.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int n;
    double *v;
};

int main(void)
{
    int n = 50;
    double *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w), sum = 0;
    struct vector x = {n, v};
    for (int i = 0; i < n; i++) {
        v[i] = i;
        w[i] = 2 * i;
    }
    x.v = w;
    #pragma omp target data map(to: x, x.v[0:n])
    {
        #pragma omp target map(tofrom: sum)
        for (int i = 0; i < n; i++)
            sum += x.v[i];
    }
    printf("%g\n", sum);
    free(v);
    free(w);
    return 0;
}
