// Shows: a table of pointers into one block is mapped, and the block; the device follows the pointers of the host.
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 8, COLUMNS = 16 };

int main(void)
{
    int *block = malloc(ROWS * COLUMNS * sizeof *block), *row[ROWS], sum = 0;
    for (int i = 0; i < ROWS; i++)
        row[i] = block + i * COLUMNS;
    for (int k = 0; k < ROWS * COLUMNS; k++)
        block[k] = k;
    #pragma omp target map(to: row, block[0:ROWS * COLUMNS]) map(tofrom: sum)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            sum += row[i][j]; // finds: unattached-pointer row
    printf("%d of %d\n", sum, row[ROWS - 1][COLUMNS - 1]);
    free(block);
    return 0;
}
