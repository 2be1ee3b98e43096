// Shows: matrix times vector: the copy-back of the result is longer than the result, and undoes what the host did behind it.
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 20 };

int main(void)
{
    int *vector = malloc(SIZE * sizeof(int)), *matrix = malloc(SIZE * SIZE * sizeof(int));
    int *result = calloc(SIZE, sizeof(int)), *log = calloc(SIZE, sizeof(int));
    for (int k = 0; k < SIZE * SIZE; k++)
        matrix[k] = k % 4;
    for (int k = 0; k < SIZE; k++)
        vector[k] = k;
    #pragma omp target data map(to: matrix[0:SIZE * SIZE], vector[0:SIZE]) map(tofrom: result[0:SIZE * 2]) // finds: section-beyond-object result
    {
        #pragma omp target teams distribute parallel for
        for (int row = 0; row < SIZE; row++)
            for (int column = 0; column < SIZE; column++)
                result[row] += matrix[row * SIZE + column] * vector[column];
        for (int k = 0; k < SIZE; k++)
            log[k] = 1 + k;
    }
    for (int k = 0; k < SIZE; k++)
        printf("%d %d\n", result[k], log[k]);
    free(vector);
    free(matrix);
    free(result);
    free(log);
    return 0;
}
