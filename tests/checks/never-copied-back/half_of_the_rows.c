// Shows: the exit directive copies only the first half of the rows back.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rows = 10 * argc, columns = 12;
    int *m = calloc(rows * columns, sizeof *m), *low = m, *high = m + rows / 2 * columns;
    int half = rows / 2 * columns, rest = rows * columns - half;
    (void)argv;
    #pragma omp target enter data map(alloc: low[0:half])
    #pragma omp target enter data map(alloc: high[0:rest])
    #pragma omp target teams distribute parallel for
    for (int k = 0; k < half; k++)
        low[k] = k;
    #pragma omp target teams distribute parallel for
    for (int k = 0; k < rest; k++)
        high[k] = -k;
    #pragma omp target exit data map(from: low[0:half])
    #pragma omp target exit data map(delete: high[0:rest])
    for (int k = 0; k < half; k++)
        printf("%d\n", low[k]);
    for (int k = 0; k < rest; k++)
        printf("%d\n", high[k]); // finds: never-copied-back high
    free(m);
    return 0;
}
