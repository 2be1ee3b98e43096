// Shows: the result is entered before the kernel, so that exit data can copy it.
#include <stdio.h>
#include <stdlib.h>

static void produce(int *c, int n)
{
    #pragma omp target teams distribute parallel for map(alloc: c[0:n])
    for (int i = 0; i < n; i++)
        c[i] = i * i;
}

int main(int argc, char **argv)
{
    int n = 40 + argc, *c = calloc(n, sizeof *c);
    (void)argv;
    #pragma omp target enter data map(alloc: c[0:n])
    produce(c, n);
    #pragma omp target exit data map(from: c[0:n])
    for (int i = 0; i < n; i++)
        printf("%d\n", c[i]);
    free(c);
    return 0;
}
