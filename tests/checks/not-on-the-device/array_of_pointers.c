// Shows: the array of the rows' pointers is mapped, the rows are not.
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 4 };

static int *rows[ROWS];

int main(void)
{
    int columns = 30, sum = 0;
    for (int r = 0; r < ROWS; r++) {
        rows[r] = malloc(columns * sizeof *rows[r]);
        for (int c = 0; c < columns; c++)
            rows[r][c] = r * c;
    }
    #pragma omp target enter data map(to: rows)
    #pragma omp target map(tofrom: sum)
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < columns; c++)
            sum += rows[r][c]; // finds: not-on-the-device rows[r]
    #pragma omp target exit data map(delete: rows)
    printf("%d\n", sum);
    for (int r = 0; r < ROWS; r++)
        free(rows[r]);
    return 0;
}
