// Shows: OpenACC's `attach` sets the pointer of a structure that was put on the device behind its elements.
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
    #pragma acc enter data copyin(v[0:n])
    #pragma acc enter data copyin(x)
    #pragma acc enter data attach(x.v)
    #pragma acc parallel loop present(x) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += x.v[i];
    #pragma acc exit data detach(x.v)
    #pragma acc exit data delete(x)
    #pragma acc exit data delete(v[0:n])
    printf("%g\n", sum);
    free(v);
    return 0;
}
