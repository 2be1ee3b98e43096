// Shows: the environment is left twice; the second directive finds nothing.
// judge: same (the second exit does nothing)
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 77, *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += 3;
    #pragma omp target exit data map(from: a[0:n])
    #pragma omp target exit data map(release: a[0:n]) // finds: exit-without-enter a
    for (int i = 0; i < n; i++)
        printf("%d\n", a[i]);
    free(a);
    return 0;
}
