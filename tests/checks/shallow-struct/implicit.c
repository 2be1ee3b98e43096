// Shows: the structure is mapped implicitly, without what its member points to.
#include <stdio.h>
#include <stdlib.h>

struct table {
    int rows, columns;
    long *cell;
};

static long total(struct table t)
{
    long sum = 0;
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int r = 0; r < t.rows; r++)
        for (int c = 0; c < t.columns; c++)
            sum += t.cell[r * t.columns + c]; // finds: shallow-struct t.cell
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
