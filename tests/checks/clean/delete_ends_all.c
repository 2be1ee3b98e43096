// Shows: delete ends all references at once, after an update has brought the result.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 36, *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target enter data map(to: v[0:n])
    #pragma omp target enter data map(to: v[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        v[i] = -v[i];
    #pragma omp target update from(v[0:n])
    #pragma omp target exit data map(delete: v[0:n])
    // Nothing is present now: this copies in and out.
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] -= 1;
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
