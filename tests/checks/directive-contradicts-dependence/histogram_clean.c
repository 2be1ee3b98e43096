// Shows: iterations meet in the counts of the histogram by atomic updates.
// judge: no race
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 400 + argc, count[7] = {0};
    int *v = malloc(n * sizeof *v);
    (void)argv;
    for (int i = 0; i < n; i++)
        v[i] = i * i;
    #pragma omp target teams distribute parallel for map(to: v[0:n]) map(tofrom: count)
    for (int i = 0; i < n; i++) {
        #pragma omp atomic
        count[v[i] % 7] += 1;
    }
    for (int k = 0; k < 7; k++)
        printf("%d\n", count[k]);
    free(v);
    return 0;
}
