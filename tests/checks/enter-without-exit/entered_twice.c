// Shows: the environment is entered by two functions but left once: the count stays above zero and nothing comes back.
#include <stdio.h>
#include <stdlib.h>

static int *v, n;

static void prepare(void)
{
    #pragma omp target enter data map(to: v[0:n])
}

static void run(void)
{
    #pragma omp target enter data map(to: v[0:n]) // finds: enter-without-exit v
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        v[i] = 5 * i;
}

int main(void)
{
    n = 45;
    v = calloc(n, sizeof *v);
    prepare();
    run();
    #pragma omp target exit data map(from: v[0:n])
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]); // finds: stale-host-read v
    return 0;
}
