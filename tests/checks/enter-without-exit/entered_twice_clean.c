// Shows: the environment is entered by two functions and left by two.
#include <stdio.h>
#include <stdlib.h>

static int *v, n;

static void prepare(void)
{
    #pragma omp target enter data map(to: v[0:n])
}

static void run(void)
{
    #pragma omp target enter data map(to: v[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        v[i] = 5 * i;
    #pragma omp target exit data map(release: v[0:n])
}

int main(void)
{
    n = 45;
    v = calloc(n, sizeof *v);
    prepare();
    run();
    #pragma omp target exit data map(from: v[0:n])
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    return 0;
}
