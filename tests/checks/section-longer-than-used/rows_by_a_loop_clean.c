// The 8 rows are on the device.
#include <stdio.h>

#define ROWS 32
#define COLUMNS 16

static double a[ROWS][COLUMNS];

int main(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = i + j;
    #pragma omp target data map(tofrom: a[0:8])
    for (int i = 0; i < 8; i++) {
        #pragma omp target teams distribute parallel for
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = 2 * a[i][j];
    }
    printf("%g %g\n", a[7][15], a[31][15]);
    return 0;
}
