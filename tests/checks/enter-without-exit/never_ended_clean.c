// Shows: the environment of a is entered and left.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 60, sum = 0, *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:n])
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += a[i];
    #pragma omp target exit data map(release: a[0:n])
    printf("%d\n", sum);
    return 0;
}
