// Shows: the row is updated before a function prints it.
#include <stdio.h>
#include <stdlib.h>

static void print_row(const int *m, int columns, int row)
{
    for (int j = 0; j < columns; j++)
        printf("%d ", m[row * columns + j]);
    printf("\n");
}

static void transform(int *m, int rows, int columns)
{
    #pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            m[i * columns + j] = i * 100 + j;
}

int main(void)
{
    int rows = 20, columns = 30;
    int *m = calloc(rows * columns, sizeof *m);
    #pragma omp target enter data map(to: m[0:rows * columns])
    transform(m, rows, columns);
    #pragma omp target update from(m[7 * columns:columns])
    print_row(m, columns, 7);
    #pragma omp target exit data map(delete: m[0:rows * columns])
    free(m);
    return 0;
}
