// Shows: all 100 elements are present when the kernel's map asks for them.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 100, *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:n])
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1;
    #pragma omp target exit data map(from: a[0:n])
    for (int i = 0; i < n; i++)
        printf("%d\n", a[i]);
    free(a);
    return 0;
}
