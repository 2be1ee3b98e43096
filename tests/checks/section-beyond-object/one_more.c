// Shows: the section counts one element more than the array has.
// judge: same (one int behind the block is copied there and back, with its own value)
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 80 + argc, *v = malloc(n * sizeof *v);
    (void)argv;
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n + 1]) // finds: section-beyond-object v
    for (int i = 0; i < n; i++)
        v[i] *= 4;
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    return 0;
}
