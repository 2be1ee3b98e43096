// Shows: the host changes the second row, but the first one is updated.
#include <stdio.h>

#define ROWS 4
#define COLUMNS 50

static int grid[ROWS * COLUMNS];

int main(void)
{
    int sum = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        grid[i] = 1;
    #pragma omp target enter data map(to: grid)
    for (int j = 0; j < COLUMNS; j++)
        grid[1 * COLUMNS + j] = j;
    #pragma omp target update to(grid[0 * COLUMNS:COLUMNS])
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int k = 0; k < ROWS * COLUMNS; k++)
        sum += grid[k]; // finds: stale-device-read grid
    #pragma omp target exit data map(release: grid)
    printf("%d\n", sum);
    return 0;
}
