// Shows: the section has the length of the array.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 80 + argc, *v = malloc(n * sizeof *v);
    (void)argv;
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] *= 4;
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
