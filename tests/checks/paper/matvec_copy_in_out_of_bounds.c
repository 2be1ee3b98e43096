// Shows: matrix times vector: the copy-in of the vector is as long as the matrix.
// judge: same (what lies behind the vector is copied, but not used)
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 20 };

static void multiply(const int *vector, const int *matrix, int *result)
{
    #pragma omp target data map(to: matrix[0:SIZE * SIZE]) map(tofrom: result[0:SIZE])
    {
        #pragma omp target teams distribute parallel for map(to: vector[0:SIZE * 2]) // finds: section-beyond-object vector
        for (int row = 0; row < SIZE; row++)
            for (int column = 0; column < SIZE; column++)
                result[row] += matrix[row * SIZE + column] * vector[column];
    }
}

int main(void)
{
    int *matrix = malloc(SIZE * SIZE * sizeof(int)), *result = calloc(SIZE, sizeof(int));
    int *vector = malloc(SIZE * sizeof(int));
    for (int k = 0; k < SIZE * SIZE; k++)
        matrix[k] = k % 4;
    for (int k = 0; k < SIZE; k++)
        vector[k] = k;
    multiply(vector, matrix, result);
    for (int k = 0; k < SIZE; k++)
        printf("%d\n", result[k]);
    free(vector);
    free(matrix);
    free(result);
    return 0;
}
