// Shows: the function that prints the result ends the environment of its caller.
#include <stdio.h>
#include <stdlib.h>

static void finish(int *v, int n)
{
    #pragma omp target exit data map(from: v[0:n])
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
}

int main(void)
{
    int n = 66, *v = calloc(n, sizeof *v);
    #pragma omp target enter data map(to: v[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        v[i] = n - i;
    finish(v, n);
    free(v);
    return 0;
}
