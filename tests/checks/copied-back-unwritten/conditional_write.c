// Shows: the kernel writes only some elements, under a condition on data, and copies all back.
#include <stdio.h>
#include <stdlib.h>

static void clip(int n, const int *in, int *out, int limit)
{
    #pragma omp target teams distribute parallel for map(to: in[0:n]) map(from: out[0:n])
    for (int i = 0; i < n; i++)
        if (in[i] > limit)
            out[i] = limit;
}

int main(int argc, char **argv)
{
    int n = 130 + argc, sum = 0;
    int *in = malloc(n * sizeof *in), *out = malloc(n * sizeof *out);
    (void)argv;
    for (int i = 0; i < n; i++)
        in[i] = out[i] = i % 30;
    clip(n, in, out, 20);
    for (int i = 0; i < n; i++)
        sum += out[i]; // finds: copied-back-unwritten out
    printf("%d\n", sum);
    free(in);
    free(out);
    return 0;
}
