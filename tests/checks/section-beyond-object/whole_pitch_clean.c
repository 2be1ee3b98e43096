// Shows: the section ends where the last row does.
#include <stdio.h>
#include <stdlib.h>

static long sum_rows(const int *m, int rows, int columns, int pitch)
{
    long sum = 0;
    int length = (rows - 1) * pitch + columns;
    #pragma omp target teams distribute parallel for map(to: m[0:length]) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            sum += m[i * pitch + j];
    return sum;
}

int main(void)
{
    int rows = 9, columns = 10, pitch = 16;
    int size = (rows - 1) * pitch + columns, *m = malloc(size * sizeof *m);
    for (int k = 0; k < size; k++)
        m[k] = k % 10;
    printf("%ld\n", sum_rows(m, rows, columns, pitch));
    free(m);
    return 0;
}
