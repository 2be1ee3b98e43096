// Shows: an update of rows of an array of rows, by a parameter that is a pointer to rows.
#include <stdio.h>

static void shift(int rows, int (*m)[12], int first, int number)
{
    for (int r = first; r < first + number; r++)
        for (int c = 0; c < 12; c++)
            m[r][c] += 100;
    #pragma omp target update to(m[first:number])
    #pragma omp target teams distribute parallel for collapse(2)
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < 12; c++)
            m[r][c] *= 2;
}

int main(void)
{
    static int grid[9][12];
    for (int r = 0; r < 9; r++)
        for (int c = 0; c < 12; c++)
            grid[r][c] = r * 12 + c;
    #pragma omp target data map(tofrom: grid)
    shift(9, grid, 2, 3);
    for (int r = 0; r < 9; r++)
        for (int c = 0; c < 12; c++)
            printf("%d\n", grid[r][c]);
    return 0;
}
