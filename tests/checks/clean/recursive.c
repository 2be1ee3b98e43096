// Shows: a recursive function launches a kernel for each half inside of one environment.
#include <stdio.h>
#include <stdlib.h>

static void split(int *v, int from, int to, int depth)
{
    if (to - from <= 8) {
        #pragma omp target teams distribute parallel for
        for (int i = from; i < to; i++)
            v[i] = v[i] * 10 + depth;
        return;
    }
    int middle = (from + to) / 2;
    split(v, from, middle, depth + 1);
    split(v, middle, to, depth + 1);
}

int main(void)
{
    int n = 100, *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target data map(tofrom: v[0:n])
    split(v, 0, n, 0);
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
