// Shows: the section holds the neighbours that are read too.
#include <stdio.h>
#include <stdlib.h>

static void difference(const int *a, int *b, int from, int count)
{
    #pragma omp target teams distribute parallel for map(to: a[from - 1:count + 2]) map(from: b[from:count])
    for (int i = from; i < from + count; i++)
        b[i] = a[i + 1] - a[i - 1];
}

int main(void)
{
    int n = 120, *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    difference(a, b, 1, n - 2);
    for (int i = 0; i < n; i++)
        printf("%d\n", b[i]);
    free(a);
    free(b);
    return 0;
}
