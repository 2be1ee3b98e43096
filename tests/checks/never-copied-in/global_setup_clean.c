// Shows: the same, with the matrix copied in by the function that maps it.
#include <stdio.h>
#include <stdlib.h>

static double *matrix, *x, *y;
static int size;

static void create(int n)
{
    size = n;
    matrix = malloc((size_t)n * n * sizeof *matrix);
    x = malloc(n * sizeof *x);
    y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            matrix[i * n + j] = (i + j) % 5;
        x[i] = i % 3;
    }
}

static void map_all(void)
{
    #pragma omp target enter data map(to: matrix[0:size * size]) map(to: x[0:size]) map(alloc: y[0:size])
}

static void unmap_all(void)
{
    #pragma omp target exit data map(release: matrix[0:size * size], x[0:size]) map(from: y[0:size])
}

static void multiply(void)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < size; i++) {
        double sum = 0;
        for (int j = 0; j < size; j++)
            sum += matrix[i * size + j] * x[j];
        y[i] = sum;
    }
}

int main(void)
{
    create(40);
    map_all();
    multiply();
    unmap_all();
    for (int i = 0; i < size; i++)
        printf("%g\n", y[i]);
    free(matrix);
    free(x);
    free(y);
    return 0;
}
