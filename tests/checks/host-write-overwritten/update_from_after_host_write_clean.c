// Shows: the update from comes first, then the host adds its part to r.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 110 + argc;
    int *r = calloc(n, sizeof *r);
    (void)argv;
    #pragma omp target data map(to: r[0:n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            r[i] = i;
        #pragma omp target update from(r[0:n])
        for (int i = 0; i < 10; i++)
            r[i] = 1000 + i;
        for (int i = 0; i < n; i++)
            printf("%d\n", r[i]);
    }
    free(r);
    return 0;
}
