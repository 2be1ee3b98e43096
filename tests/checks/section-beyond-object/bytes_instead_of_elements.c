// Shows: the section counts bytes: it reaches over the next blocks, and brings their old values back over new ones.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 100 * argc;
    int *v = malloc(n * sizeof *v), *other = malloc(n * sizeof *other);
    (void)argv;
    for (int i = 0; i < n; i++)
        v[i] = other[i] = i;
    #pragma omp target data map(tofrom: v[0:n * sizeof(int)]) // finds: section-beyond-object v
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            v[i] += 1;
        for (int i = 0; i < n; i++)
            other[i] = -i;
    }
    for (int i = 0; i < n; i++)
        printf("%d %d\n", v[i], other[i]);
    free(v);
    free(other);
    return 0;
}
