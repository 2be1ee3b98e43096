// The result comes back once, behind the loop.
#include <stdio.h>
#include <stdlib.h>

static void last(int n, int steps, long *r)
{
    #pragma omp target data map(from: r[0:n])
    for (int t = 0; t < steps; t++) {
        #pragma omp target teams distribute parallel for map(from: r[0:n])
        for (int i = 0; i < n; i++)
            r[i] = i * t;
    }
}

int main(void)
{
    int n = 55;
    long *r = malloc(n * sizeof *r);
    last(n, 6, r);
    printf("%ld\n", r[54]);
    free(r);
    return 0;
}
