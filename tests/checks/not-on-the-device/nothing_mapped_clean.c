// Shows: the kernel reads through a pointer whose elements are mapped.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 100, *v = malloc(n * sizeof *v), sum = 0;
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: sum) map(to: v[0:n]) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += v[i];
    printf("%d\n", sum);
    free(v);
    return 0;
}
