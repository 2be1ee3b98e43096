// A part of a grid, given by its first and last elements and the width of a margin: as many rows as the loops reach are copied, and none where either loop has nothing to do.
#include <stdio.h>
#include <stdlib.h>

static void smooth(int margin, int rows, int columns, double out[restrict rows][columns], double in[rows][columns],
    int first, int last, int left, int right)
{
    int i, j;
    for (i = first + margin; i < last - margin; i++) { // loop: parallel, private(j)
        for (j = left + margin; j < right - margin; j++) { // loop: parallel
            out[i][j] = in[i - 2][j] + in[i][j - 2] + in[i][j] + in[i][j + 2] + in[i + 2][j];
        }
    }
}

static void shift(int margin, double *restrict out, const double *restrict in, int first, int last)
{
    for (int i = first + margin; i < last; i++) // loop: parallel
        out[i - first] = in[i];
}

int main(void)
{
    const int rows = 20, columns = 30;
    double(*a)[columns] = malloc(sizeof(double[rows][columns]));
    double(*b)[columns] = malloc(sizeof(double[rows][columns]));
    if (!a || !b)
        return 1;
    for (int k = 0; k < rows * columns; k++) { // loop: parallel
        a[k / columns][k % columns] = k % 7;
        b[k / columns][k % columns] = -1;
    }
    smooth(2, rows, columns, b, a, 0, rows, 0, columns);
    smooth(3, rows, columns, b, a, 4, 16, 5, 25);
    smooth(2, rows, columns, b, a, 5, 5, 0, columns);
    smooth(2, rows, columns, b, a, 0, rows, 11, 15);
    shift(3, b[1], a[1], 2, columns);
    shift(3, b[2], a[2], 9, 12);
    for (int k = 0; k < rows; k++) // loop: sequential
        printf("%g %g %g\n", b[k][2], b[k][k], b[k][columns - 1]);
    free(a);
    free(b);
    return 0;
}
