// Shows: the kernel's own map(tofrom:) copies nothing back while the surrounding mapping is there.
#include <stdio.h>
#include <stdlib.h>

static void square(int n, int *v)
{
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] = v[i] * v[i];
}

int main(int argc, char **argv)
{
    int n = 50 + argc;
    int *v = malloc(n * sizeof *v);
    (void)argv;
    for (int i = 0; i < n; i++)
        v[i] = i + 2;
    #pragma omp target enter data map(to: v[0:n])
    square(n, v);
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]); // finds: stale-host-read v
    #pragma omp target exit data map(delete: v[0:n])
    free(v);
    return 0;
}
