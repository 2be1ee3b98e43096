// Shows: matrix times vector: no exit data at all; the host prints the result that is still on the device.
#include <stdio.h>

#define SIZE 24

static int vector[SIZE], matrix[SIZE * SIZE], result[SIZE];

int main(void)
{
    for (int k = 0; k < SIZE * SIZE; k++)
        matrix[k] = 1 + k % 3;
    for (int k = 0; k < SIZE; k++)
        vector[k] = k;
    #pragma omp target enter data map(to: vector, matrix, result) // finds: enter-without-exit vector; enter-without-exit matrix; enter-without-exit result
    #pragma omp target teams distribute parallel for
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            result[row] += matrix[row * SIZE + column] * vector[column];
    for (int k = 0; k < SIZE; k++)
        printf("%d\n", result[k]); // finds: stale-host-read result
    return 0;
}
