// Shows: the first kernel runs inside of the environment, the second one behind its end.
#include <stdio.h>
#include <stdlib.h>

static void increment(int *v, int n)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        v[i] += 1; // finds: not-on-the-device v
}

int main(void)
{
    int n = 99, *v = calloc(n, sizeof *v);
    #pragma omp target enter data map(to: v[0:n])
    increment(v, n);
    #pragma omp target exit data map(from: v[0:n])
    increment(v, n);
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
