// Shows: the array is freed after its environment has ended.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 58, sum = 0, *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:n])
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += a[i];
    #pragma omp target exit data map(delete: a[0:n])
    free(a);
    printf("%d\n", sum);
    return 0;
}
