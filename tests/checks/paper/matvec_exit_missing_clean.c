// Shows: matrix times vector with exit data before the host prints.
#include <stdio.h>

#define SIZE 24

static int vector[SIZE], matrix[SIZE * SIZE], result[SIZE];

int main(void)
{
    for (int k = 0; k < SIZE * SIZE; k++)
        matrix[k] = 1 + k % 3;
    for (int k = 0; k < SIZE; k++)
        vector[k] = k;
    #pragma omp target enter data map(to: vector, matrix, result)
    #pragma omp target teams distribute parallel for
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            result[row] += matrix[row * SIZE + column] * vector[column];
    #pragma omp target exit data map(from: result) map(release: vector, matrix)
    for (int k = 0; k < SIZE; k++)
        printf("%d\n", result[k]);
    return 0;
}
