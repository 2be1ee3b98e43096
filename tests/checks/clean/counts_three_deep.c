// Shows: three functions map the same array, one inside the other; only the outermost copies.
#include <stdio.h>
#include <stdlib.h>

static void inner(int n, int *v)
{
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] += i;
}

static void middle(int n, int *v)
{
    #pragma omp target data map(tofrom: v[0:n])
    {
        inner(n, v);
        inner(n, v);
    }
}

static void outer(int n, int *v)
{
    #pragma omp target enter data map(to: v[0:n])
    middle(n, v);
    inner(n, v);
    #pragma omp target exit data map(from: v[0:n])
}

int main(void)
{
    int n = 55, *v = calloc(n, sizeof *v);
    outer(n, v);
    inner(n, v);
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
