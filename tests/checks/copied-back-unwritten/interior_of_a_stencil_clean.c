// Shows: the stencil writes the interior, and only the interior comes back.
#include <stdio.h>
#include <stdlib.h>

static void stencil(int n, const double *a, double *b)
{
    #pragma omp target teams distribute parallel for map(to: a[0:n]) map(from: b[1:n - 2])
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i] + a[i + 1];
}

int main(void)
{
    int n = 97;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++) {
        a[i] = i % 4;
        b[i] = -1;
    }
    stencil(n, a, b);
    for (int i = 0; i < n; i++)
        printf("%g\n", b[i]);
    free(a);
    free(b);
    return 0;
}
