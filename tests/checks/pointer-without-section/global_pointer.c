// Shows: the global pointer is mapped when the program starts; the elements never are.
#include <stdio.h>
#include <stdlib.h>

static int *matrix;
static int order;

static void start(int n)
{
    order = n;
    matrix = malloc(n * n * sizeof *matrix);
    for (int k = 0; k < n * n; k++)
        matrix[k] = k;
    #pragma omp target enter data map(to: matrix) // finds: pointer-without-section matrix
}

static void transpose(void)
{
    int n = order;
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            int t = matrix[i * n + j];
            matrix[i * n + j] = matrix[j * n + i];
            matrix[j * n + i] = t;
        }
}

static void stop(void)
{
    #pragma omp target exit data map(from: matrix)
}

int main(void)
{
    start(16);
    transpose();
    stop();
    for (int k = 0; k < order * order; k++)
        printf("%d\n", matrix[k]);
    free(matrix);
    return 0;
}
