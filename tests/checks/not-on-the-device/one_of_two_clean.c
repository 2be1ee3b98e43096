// Shows: both arrays that the function takes are mapped.
#include <stdio.h>
#include <stdlib.h>

static void scale(int n, const double *in, double *out)
{
    #pragma omp target teams distribute parallel for map(from: out[0:n]) map(to: in[0:n])
    for (int i = 0; i < n; i++)
        out[i] = 2 * in[i];
}

int main(int argc, char **argv)
{
    int n = 180 + argc;
    double *in = malloc(n * sizeof *in), *out = malloc(n * sizeof *out);
    (void)argv;
    for (int i = 0; i < n; i++)
        in[i] = i % 16;
    scale(n, in, out);
    for (int i = 0; i < n; i++)
        printf("%g\n", out[i]);
    free(in);
    free(out);
    return 0;
}
