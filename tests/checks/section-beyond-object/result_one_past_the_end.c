// Shows: the result has n - k elements, but n - k + 1 are mapped and written.
// judge: same (the element behind the block is written by sequential code too)
#include <stdio.h>
#include <stdlib.h>

static void windows(int n, int k, const int *in, int *out)
{
    #pragma omp target teams distribute parallel for map(to: in[0:n]) map(from: out[0:n - k + 1]) // finds: section-beyond-object out
    for (int i = 0; i <= n - k; i++) {
        int sum = 0;
        for (int j = 0; j < k; j++)
            sum += in[i + j];
        out[i] = sum;
    }
}

int main(void)
{
    int n = 70, k = 5;
    int *in = malloc(n * sizeof *in), *out = malloc((n - k) * sizeof *out);
    for (int i = 0; i < n; i++)
        in[i] = i % 6;
    windows(n, k, in, out);
    for (int i = 0; i < n - k; i++)
        printf("%d\n", out[i]);
    free(in);
    free(out);
    return 0;
}
