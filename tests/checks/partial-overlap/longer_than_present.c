// Shows: 50 elements are present; the kernel's map asks for 100, which extends what is there.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 100, *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:n / 2])
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n]) // finds: partial-overlap a
    for (int i = 0; i < n; i++)
        a[i] += 1;
    #pragma omp target exit data map(from: a[0:n / 2])
    for (int i = 0; i < n; i++)
        printf("%d\n", a[i]);
    free(a);
    return 0;
}
