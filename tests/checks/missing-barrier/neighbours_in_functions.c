// Worksharing loops in two functions: the second one needs its neighbours, the first one does not wait.
// judge: race
#include <stdio.h>

static int grid[40][50], next[40][50];

static void first(void)
{
    #pragma omp for nowait
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++)
            grid[i][j] = i + j;
}

static void second(void)
{
    #pragma omp for
    for (int i = 1; i < 39; i++)
        for (int j = 1; j < 49; j++)
            next[i][j] = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]; // finds: missing-barrier grid
}

int main(void)
{
    #pragma omp parallel
    {
        first();
        second();
    }
    printf("%d\n", next[20][20]);
    return 0;
}
