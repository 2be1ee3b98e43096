// Shows: matrix times vector: update from brings the result.
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 28 };

int main(void)
{
    int *vector = malloc(SIZE * sizeof(int)), *matrix = malloc(SIZE * SIZE * sizeof(int));
    int *result = calloc(SIZE, sizeof(int));
    for (int k = 0; k < SIZE * SIZE; k++)
        matrix[k] = k % 5;
    for (int k = 0; k < SIZE; k++)
        vector[k] = 1;
    #pragma omp target enter data map(to: vector[0:SIZE], matrix[0:SIZE * SIZE], result[0:SIZE])
    #pragma omp target teams distribute parallel for
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            result[row] += matrix[row * SIZE + column] * vector[column];
    #pragma omp target update from(result[0:SIZE])
    for (int k = 0; k < SIZE; k++)
        printf("%d\n", result[k]);
    #pragma omp target exit data map(release: vector[0:SIZE], matrix[0:SIZE * SIZE], result[0:SIZE])
    free(vector);
    free(matrix);
    free(result);
    return 0;
}
