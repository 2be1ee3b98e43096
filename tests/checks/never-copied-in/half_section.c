// Shows: the second half of the table is only allocated, in a second directive, but the kernel reads all of it.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 2 * (60 + argc), half = n / 2;
    int *low = malloc(n * sizeof *low), sum = 0;
    int *high = low + half;
    (void)argv;
    for (int i = 0; i < n; i++)
        low[i] = i + 1;
    #pragma omp target enter data map(to: low[0:half])
    #pragma omp target enter data map(alloc: high[0:half])
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < half; i++)
        sum += low[i] * high[i]; // finds: never-copied-in high
    #pragma omp target exit data map(delete: high[0:half])
    #pragma omp target exit data map(delete: low[0:half])
    printf("%d\n", sum);
    free(low);
    return 0;
}
