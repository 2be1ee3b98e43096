// judge: same (what stays on the device changes no value)
// The members of a structure are mapped one by one, and none of them is taken off.
#include <stdio.h>

struct grid {
    int rows;
    int columns;
    double spacing;
};

static void volume(const struct grid *g, double *out)
{
#pragma omp target map(from: out[0:1])
    {
        out[0] = g->rows * g->columns * g->spacing * g->spacing;
    }
}

int main(void)
{
    struct grid g = {8, 9, 0.5};
    double out;
#pragma omp target enter data map(to: g.rows, g.columns, g.spacing) // finds: enter-without-exit g.rows; enter-without-exit g.columns; enter-without-exit g.spacing
    volume(&g, &out);
    printf("%g\n", out);
    return 0;
}
