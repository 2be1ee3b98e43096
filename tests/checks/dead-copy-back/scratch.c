// The host never reads tmp, which comes back at the end of the environment.
// judge: same (nothing is lost)
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 75;
    long *v = malloc(n * sizeof *v), *tmp = malloc(n * sizeof *tmp);
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target data map(tofrom: v[0:n]) map(from: tmp[0:n]) // finds: dead-copy-back tmp
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            tmp[i] = v[n - 1 - i];
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            v[i] += tmp[i];
    }
    printf("%ld %ld\n", v[0], v[74]);
    free(v);
    free(tmp);
    return 0;
}
