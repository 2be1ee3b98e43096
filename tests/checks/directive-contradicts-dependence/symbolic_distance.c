// Shows: element i needs element i - shift, and shift is 3.
// judge: race
#include <stdio.h>
#include <stdlib.h>

static void fold(int n, int shift, int *v, const int *w)
{
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n]) map(to: w[0:n]) // finds: directive-contradicts-dependence v
    for (int i = shift; i < n; i++)
        v[i] = v[i - shift] + w[i];
}

int main(void)
{
    int n = 205, *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w);
    for (int i = 0; i < n; i++)
        v[i] = w[i] = i % 10;
    fold(n, 3, v, w);
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    free(w);
    return 0;
}
