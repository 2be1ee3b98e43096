// Shows: matrix times vector: the result comes back, but vector and matrix are never released.
// judge: same (two arrays stay allocated on the device, no value is wrong)
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 18 };

static void multiply(const int *vector, const int *matrix, int *result)
{
    #pragma omp target enter data map(to: vector[0:SIZE], matrix[0:SIZE * SIZE], result[0:SIZE]) // finds: enter-without-exit vector; enter-without-exit matrix
    #pragma omp target teams distribute parallel for
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            result[row] += matrix[row * SIZE + column] * vector[column];
    #pragma omp target exit data map(from: result[0:SIZE])
}

int main(void)
{
    int vector[SIZE], matrix[SIZE * SIZE], result[SIZE] = {0};
    for (int k = 0; k < SIZE * SIZE; k++)
        matrix[k] = k % 7;
    for (int k = 0; k < SIZE; k++)
        vector[k] = k + 1;
    multiply(vector, matrix, result);
    for (int k = 0; k < SIZE; k++)
        printf("%d\n", result[k]);
    return 0;
}
