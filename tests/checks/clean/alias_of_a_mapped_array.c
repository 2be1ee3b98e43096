// Shows: two pointers name one mapped array, one of them from its middle on.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 64, *v = malloc(n * sizeof *v), *middle = v + n / 2;
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target enter data map(to: v[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n / 2; i++)
        middle[i] += 100;
    #pragma omp target update from(middle[0:n / 2])
    #pragma omp target exit data map(release: v[0:n])
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
