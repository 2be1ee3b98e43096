// Shows: matrix times vector with the matrix copied in.
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 40 };

static int *vector, *matrix, *result;

static void create(void)
{
    vector = malloc(SIZE * sizeof(int));
    matrix = malloc(SIZE * SIZE * sizeof(int));
    result = malloc(SIZE * sizeof(int));
    for (int row = 0; row < SIZE; row++) {
        for (int column = 0; column < SIZE; column++)
            matrix[row * SIZE + column] = row == column ? 2 : 1;
        vector[row] = row;
        result[row] = 0;
    }
}

static void multiply(void)
{
    #pragma omp target map(to: vector[0:SIZE]) map(tofrom: result[0:SIZE]) map(to: matrix[0:SIZE * SIZE])
    #pragma omp teams distribute parallel for
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            result[row] += matrix[row * SIZE + column] * vector[column];
}

int main(void)
{
    create();
    multiply();
    for (int row = 0; row < SIZE; row++)
        printf("%d\n", result[row]);
    free(vector);
    free(matrix);
    free(result);
    return 0;
}
