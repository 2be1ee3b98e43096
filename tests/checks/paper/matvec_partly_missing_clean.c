// Shows: matrix times vector with all rows mapped.
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 30 };

static void multiply(const int *vector, const int *matrix, int *result)
{
    #pragma omp target teams distribute parallel for map(to: vector[0:SIZE], matrix[0:SIZE * SIZE]) \
        map(tofrom: result[0:SIZE])
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            result[row] += matrix[column + row * SIZE] * vector[column];
}

int main(void)
{
    int *vector = malloc(SIZE * sizeof(int)), *result = calloc(SIZE, sizeof(int));
    int *matrix = malloc(SIZE * SIZE * sizeof(int));
    for (int k = 0; k < SIZE * SIZE; k++)
        matrix[k] = k % 4;
    for (int k = 0; k < SIZE; k++)
        vector[k] = 1;
    multiply(vector, matrix, result);
    for (int k = 0; k < SIZE; k++)
        printf("%d\n", result[k]);
    free(vector);
    free(matrix);
    free(result);
    return 0;
}
