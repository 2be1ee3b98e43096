// Shows: the function returns a count that was kept on the device.
#include <stdio.h>
#include <stdlib.h>

static int count_zeros(const int *v, int n)
{
    int zeros = 0;
    #pragma omp target map(to: v[0:n])
    for (int i = 0; i < n; i++)
        if (v[i] == 0)
            zeros++;
    return zeros; // finds: scalar-change-lost zeros
}

int main(int argc, char **argv)
{
    int n = 300 * argc, *v = malloc(n * sizeof *v);
    (void)argv;
    for (int i = 0; i < n; i++)
        v[i] = i % 4;
    printf("%d\n", count_zeros(v, n));
    free(v);
    return 0;
}
