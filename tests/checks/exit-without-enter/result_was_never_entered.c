// Shows: the kernel's own mapping has ended when exit data asks for the result: nothing is copied.
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
    produce(c, n);
    #pragma omp target exit data map(from: c[0:n]) // finds: exit-without-enter c
    for (int i = 0; i < n; i++)
        printf("%d\n", c[i]); // finds: never-copied-back c
    free(c);
    return 0;
}
