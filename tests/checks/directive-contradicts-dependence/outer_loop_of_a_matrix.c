// Shows: row i needs row i - 1, and the rows are given to teams.
// judge: race
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int rows = 25, columns = 33, size = rows * columns;
    int *m = malloc(size * sizeof *m);
    for (int k = 0; k < size; k++)
        m[k] = k % 5;
    #pragma omp target teams distribute parallel for map(tofrom: m[0:size]) // finds: directive-contradicts-dependence m
    for (int i = 1; i < rows; i++)
        for (int j = 0; j < columns; j++)
            m[i * columns + j] += m[(i - 1) * columns + j];
    for (int k = 0; k < size; k++)
        printf("%d\n", m[k]);
    free(m);
    return 0;
}
