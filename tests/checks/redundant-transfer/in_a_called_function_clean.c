// The function relies on the environment of its caller.
#include <stdio.h>
#include <stdlib.h>

static void add(int n, const long *x, long *y)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}

int main(void)
{
    int n = 64;
    long *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 1;
    }
    #pragma omp target data map(to: x[0:n]) map(tofrom: y[0:n])
    {
        add(n, x, y);
        add(n, x, y);
    }
    printf("%ld %ld\n", y[0], y[63]);
    free(x);
    free(y);
    return 0;
}
