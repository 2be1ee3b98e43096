// Shows: PIPS listing 1.1: the filter's result has n - k elements, and element n - k is written.
// judge: same (the element behind the block is written without directives too)
#include <stdio.h>
#include <stdlib.h>

static void filter(int n, int k, const int *src, int *dst, const int *m)
{
    #pragma omp target teams distribute parallel for map(to: src[0:n], m[0:k]) map(from: dst[0:n - k + 1]) // finds: section-beyond-object dst
    for (int i = 0; i <= n - k; i++) {
        int value = 0;
        for (int j = 0; j < k; j++)
            value += m[j] * src[i + j];
        dst[i] = value;
    }
}

int main(void)
{
    int n = 64, k = 7;
    int *src = malloc(n * sizeof *src), *m = malloc(k * sizeof *m), *dst = malloc((n - k) * sizeof *dst);
    for (int i = 0; i < n; i++)
        src[i] = i % 11;
    for (int j = 0; j < k; j++)
        m[j] = j - 3;
    filter(n, k, src, dst, m);
    for (int i = 0; i < n - k; i++)
        printf("%d\n", dst[i]);
    free(src);
    free(m);
    free(dst);
    return 0;
}
