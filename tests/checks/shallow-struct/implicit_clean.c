// Shows: a pointer to the member's elements is mapped by its section.
#include <stdio.h>
#include <stdlib.h>

struct table {
    int rows, columns;
    long *cell;
};

static long total(struct table t)
{
    long sum = 0;
    int rows = t.rows, columns = t.columns;
    long *cell = t.cell;
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum) map(to: cell[0:rows * columns])
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            sum += cell[r * columns + c];
    return sum;
}

int main(void)
{
    struct table t = {15, 8, NULL};
    t.cell = malloc(t.rows * t.columns * sizeof *t.cell);
    for (int k = 0; k < t.rows * t.columns; k++)
        t.cell[k] = k;
    printf("%ld\n", total(t));
    free(t.cell);
    return 0;
}
