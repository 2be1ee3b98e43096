// Shows: with n = 0 the sections are empty and the loops do not run.
#include <stdio.h>
#include <stdlib.h>

static void add_one(int n, int *v)
{
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] += 1;
}

int main(void)
{
    int n = 20, *v = calloc(n, sizeof *v);
    add_one(0, v);
    add_one(n, v);
    #pragma omp target data map(to: v[0:0])
    add_one(n / 2, v);
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
