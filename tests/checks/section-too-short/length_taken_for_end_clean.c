// Shows: the section is written as start and length.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 200 * argc, first = 50, last = 150;
    int *v = malloc(n * sizeof *v), sum = 0;
    (void)argv;
    for (int i = 0; i < n; i++)
        v[i] = i;
    #pragma omp target teams distribute parallel for reduction(+: sum) \
        map(to: v[first:last - first]) map(tofrom: sum)
    for (int i = first; i < last; i++)
        sum += v[i];
    printf("%d\n", sum);
    free(v);
    return 0;
}
