// Shows: the kernel writes the lower triangle of a linearised matrix that goes both ways.
#include <stdio.h>

#define ORDER 24

static int matrix[ORDER * ORDER];

int main(void)
{
    for (int k = 0; k < ORDER * ORDER; k++)
        matrix[k] = 9;
    #pragma omp target teams distribute parallel for map(tofrom: matrix)
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j <= i; j++)
            matrix[i * ORDER + j] = i + j;
    for (int k = 0; k < ORDER * ORDER; k++)
        printf("%d\n", matrix[k]);
    return 0;
}
