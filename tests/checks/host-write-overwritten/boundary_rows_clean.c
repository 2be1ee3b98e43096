// Shows: the host sets the boundary of the matrix, and only the inner rows come back.
#include <stdio.h>
#include <stdlib.h>

static void boundary(int *m, int rows, int columns)
{
    for (int j = 0; j < columns; j++) {
        m[j] = -1;
        m[(rows - 1) * columns + j] = -2;
    }
}

int main(void)
{
    int rows = 12, columns = 20, size = rows * columns;
    int *m = malloc(size * sizeof *m);
    for (int k = 0; k < size; k++)
        m[k] = k;
    #pragma omp target enter data map(to: m[0:size])
    #pragma omp target teams distribute parallel for
    for (int i = 1; i < rows - 1; i++)
        for (int j = 0; j < columns; j++)
            m[i * columns + j] += 1;
    boundary(m, rows, columns);
    #pragma omp target update from(m[columns:(rows - 2) * columns])
    #pragma omp target exit data map(delete: m[0:size])
    for (int k = 0; k < size; k++)
        printf("%d\n", m[k]);
    free(m);
    return 0;
}
