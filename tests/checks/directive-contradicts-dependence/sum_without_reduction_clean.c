// Shows: all iterations add to one mapped scalar in a reduction.
// judge: no race
#include <stdio.h>
#include <stdlib.h>

static long sum_of(const int *v, int n)
{
    long sum = 0;
    #pragma omp target teams distribute parallel for map(to: v[0:n]) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

int main(void)
{
    int n = 501, *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i % 12;
    printf("%ld\n", sum_of(v, n));
    free(v);
    return 0;
}
