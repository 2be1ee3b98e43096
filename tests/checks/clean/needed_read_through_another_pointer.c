// The result is read through a pointer into the middle of the array.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *v = malloc(40 * sizeof *v), *middle = v + 20;
    for (int i = 0; i < 40; i++)
        v[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: v[0:40])
    for (int i = 0; i < 40; i++)
        v[i] *= 2;
    printf("%d\n", middle[3]);
    free(v);
    return 0;
}
