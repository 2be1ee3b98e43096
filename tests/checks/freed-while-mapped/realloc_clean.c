// Shows: the environment ends before realloc may move the array.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40, sum = 0, *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target enter data map(to: v[0:n])
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += v[i];
    #pragma omp target exit data map(release: v[0:n])
    int *larger = realloc(v, 2 * n * sizeof *v);
    for (int i = n; i < 2 * n; i++)
        larger[i] = sum + i;
    for (int i = 0; i < 2 * n; i++)
        printf("%d\n", larger[i]);
    free(larger);
    return 0;
}
