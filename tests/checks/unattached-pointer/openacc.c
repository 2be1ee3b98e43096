// Shows: the structure is copied, and its elements by another name, in OpenACC.
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int n;
    float *v;
};

int main(void)
{
    int n = 100;
    float *v = malloc(n * sizeof *v);
    struct vector x = {n, v};
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma acc data copyin(x) copy(v[0:n])
    {
        #pragma acc parallel loop present(x)
        for (int i = 0; i < n; i++)
            x.v[i] = 2 * x.v[i]; // finds: unattached-pointer x.v
    }
    printf("%g\n", v[n - 1]);
    free(v);
    return 0;
}
