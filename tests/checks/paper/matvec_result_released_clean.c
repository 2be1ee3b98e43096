// Shows: matrix times vector: the exit copies the result.
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 32 };

static int *vector, *matrix, *result;

static void multiply(void)
{
    #pragma omp target enter data map(to: vector[0:SIZE], matrix[0:SIZE * SIZE], result[0:SIZE])
    #pragma omp target teams distribute parallel for
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            result[row] += matrix[row * SIZE + column] * vector[column];
    #pragma omp target exit data map(release: vector[0:SIZE], matrix[0:SIZE * SIZE]) map(from: result[0:SIZE])
}

int main(void)
{
    vector = malloc(SIZE * sizeof(int));
    matrix = malloc(SIZE * SIZE * sizeof(int));
    result = calloc(SIZE, sizeof(int));
    for (int k = 0; k < SIZE * SIZE; k++)
        matrix[k] = 1 + k % 2;
    for (int k = 0; k < SIZE; k++)
        vector[k] = k;
    multiply();
    for (int k = 0; k < SIZE; k++)
        printf("%d\n", result[k]);
    free(vector);
    free(matrix);
    free(result);
    return 0;
}
