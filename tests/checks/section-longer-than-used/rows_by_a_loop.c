// Each iteration of a loop on the host starts a kernel for one of 8 rows; 32 rows are on the device.
// judge: same (nothing is lost)
#include <stdio.h>

#define ROWS 32
#define COLUMNS 16

static double a[ROWS][COLUMNS];

int main(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = i + j;
    #pragma omp target data map(tofrom: a) // finds: section-longer-than-used a
    for (int i = 0; i < 8; i++) {
        #pragma omp target teams distribute parallel for
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = 2 * a[i][j];
    }
    printf("%g %g\n", a[7][15], a[31][15]);
    return 0;
}
