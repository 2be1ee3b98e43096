// Shows: the kernel reads through a pointer that no directive maps: what it points to is on the host only.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 100, *v = malloc(n * sizeof *v), sum = 0;
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += v[i]; // finds: not-on-the-device v
    printf("%d\n", sum);
    free(v);
    return 0;
}
