// Shows: the function that opens the environment calls another one through a pointer for the work inside.
#include <stdio.h>
#include <stdlib.h>

static void grow(int n, int *v)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        v[i] += i;
}

static void shrink(int n, int *v)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        v[i] /= 2;
}

static void on_device(int n, int *v, void (*work)(int, int *))
{
    #pragma omp target data map(tofrom: v[0:n])
    work(n, v);
}

int main(void)
{
    int n = 37, *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = 4 * i;
    on_device(n, v, grow);
    on_device(n, v, shrink);
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
