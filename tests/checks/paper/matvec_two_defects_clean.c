// Shows: matrix times vector: the result goes both ways.
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 26 };

static void multiply(int n, const int *vector, const int *matrix, int *result)
{
    #pragma omp target map(to: vector[0:n], matrix[0:n * n]) map(tofrom: result[0:n])
    #pragma omp teams distribute parallel for
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++)
            result[row] += matrix[row * n + column] * vector[column];
}

int main(void)
{
    int vector[SIZE], matrix[SIZE * SIZE], result[SIZE];
    for (int k = 0; k < SIZE * SIZE; k++)
        matrix[k] = k % 7;
    for (int k = 0; k < SIZE; k++) {
        vector[k] = k + 1;
        result[k] = 100;
    }
    multiply(SIZE, vector, matrix, result);
    for (int k = 0; k < SIZE; k++)
        printf("%d\n", result[k]);
    return 0;
}
