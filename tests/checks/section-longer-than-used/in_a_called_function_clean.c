// It maps what it sums up.
#include <stdio.h>
#include <stdlib.h>

static long sum(int n, const int *a)
{
    long total = 0;
    #pragma omp target teams distribute parallel for reduction(+: total) map(tofrom: total) map(to: a[0:n])
    for (int i = 0; i < n; i++)
        total += a[i];
    return total;
}

int main(void)
{
    int *a = malloc(300 * sizeof *a);
    for (int i = 0; i < 300; i++)
        a[i] = i;
    printf("%ld %ld\n", sum(100, a), sum(150, a));
    free(a);
    return 0;
}
