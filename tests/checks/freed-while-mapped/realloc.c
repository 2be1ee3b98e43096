// Shows: realloc may move the array while it is mapped; the exit names the old place.
// judge: same (the guard gives freed memory to nobody, so the late exit hurts nobody)
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
    int *larger = realloc(v, 2 * n * sizeof *v); // finds: freed-while-mapped v
    #pragma omp target exit data map(release: v[0:n])
    for (int i = n; i < 2 * n; i++)
        larger[i] = sum + i;
    for (int i = 0; i < 2 * n; i++)
        printf("%d\n", larger[i]);
    free(larger);
    return 0;
}
