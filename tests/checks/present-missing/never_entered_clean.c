// Shows: present is asked for inside of the environment that maps the array.
// compiler: clang
#include <stdio.h>
#include <stdlib.h>

static void twice(int n, int *v)
{
    #pragma omp target teams distribute parallel for map(present, tofrom: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] *= 2;
}

int main(void)
{
    int n = 52, *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target data map(tofrom: v[0:n])
    twice(n, v);
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
