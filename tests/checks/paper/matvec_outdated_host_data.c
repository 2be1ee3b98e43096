// Shows: matrix times vector: the host normalises by the result, which is still on the device.
#include <stdio.h>

#define SIZE 22

static int vector[SIZE], matrix[SIZE * SIZE], result[SIZE];

int main(void)
{
    int largest = 0;
    for (int k = 0; k < SIZE * SIZE; k++)
        matrix[k] = 1 + k % 3;
    for (int k = 0; k < SIZE; k++)
        vector[k] = k;
    #pragma omp target data map(to: vector, matrix) map(tofrom: result)
    {
        #pragma omp target teams distribute parallel for
        for (int row = 0; row < SIZE; row++)
            for (int column = 0; column < SIZE; column++)
                result[row] += matrix[row * SIZE + column] * vector[column];
        for (int k = 0; k < SIZE; k++)
            largest = result[k] > largest ? result[k] : largest; // finds: stale-host-read result
    }
    printf("%d\n", largest);
    return 0;
}
