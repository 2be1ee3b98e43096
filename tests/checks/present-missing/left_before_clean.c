// Shows: the environment is left after the function that asks for present data.
// compiler: clang
#include <stdio.h>

static int v[33];

static void leave(void)
{
    #pragma omp target exit data map(from: v)
}

static void work(void)
{
    #pragma omp target map(present, alloc: v)
    for (int i = 0; i < 33; i++)
        v[i] += i;
}

int main(void)
{
    #pragma omp target enter data map(to: v)
    work();
    leave();
    for (int i = 0; i < 33; i++)
        printf("%d\n", v[i]);
    return 0;
}
