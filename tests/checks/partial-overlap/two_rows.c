// Shows: the second map starts in the last row of the first one.
#include <stdio.h>

enum { ROWS = 6, COLUMNS = 16 };

static int grid[ROWS * COLUMNS];

int main(void)
{
    for (int k = 0; k < ROWS * COLUMNS; k++)
        grid[k] = k;
    #pragma omp target data map(tofrom: grid[0:3 * COLUMNS])
    {
        #pragma omp target teams distribute parallel for map(tofrom: grid[2 * COLUMNS:4 * COLUMNS]) // finds: partial-overlap grid
        for (int k = 3 * COLUMNS; k < ROWS * COLUMNS; k++)
            grid[k] = -grid[k];
    }
    for (int k = 0; k < ROWS * COLUMNS; k++)
        printf("%d\n", grid[k]);
    return 0;
}
