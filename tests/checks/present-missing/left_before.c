// Shows: the environment is left by one function before another one asks for present data.
// compiler: clang
#include <stdio.h>

static int v[33];

static void leave(void)
{
    #pragma omp target exit data map(from: v)
}

static void work(void)
{
    #pragma omp target map(present, alloc: v) // finds: present-missing v
    for (int i = 0; i < 33; i++)
        v[i] += i;
}

int main(void)
{
    #pragma omp target enter data map(to: v)
    leave();
    work();
    for (int i = 0; i < 33; i++)
        printf("%d\n", v[i]);
    return 0;
}
