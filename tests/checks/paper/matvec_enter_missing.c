// Shows: matrix times vector: the enter data directive leaves out the matrix.
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 32 };

static int *vector, *matrix, *result;

static void multiply(void)
{
    #pragma omp target enter data map(to: vector[0:SIZE], result[0:SIZE])
    #pragma omp target teams distribute parallel for
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            result[row] += matrix[row * SIZE + column] * vector[column]; // finds: not-on-the-device matrix
    #pragma omp target exit data map(from: result[0:SIZE]) map(release: vector[0:SIZE])
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
