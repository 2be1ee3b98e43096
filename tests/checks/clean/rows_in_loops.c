// Shows: rows come to the device one by one in a loop, and leave it in another one, by the pointers of a table.
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 8 };

int main(void)
{
    int n = 16;
    double *block = malloc(ROWS * n * sizeof *block), *row[ROWS], sum = 0;
    for (int k = 0; k < ROWS; k++) {
        row[k] = block + k * n;
        for (int i = 0; i < n; i++)
            row[k][i] = i + k;
    }
    for (int k = 0; k < ROWS; k++) {
        double *q = row[k];
        q[0] += 1;
        #pragma omp target enter data map(to: q[0:n])
    }
    for (int k = 0; k < ROWS; k++) {
        double *q = row[k];
        #pragma omp target map(tofrom: sum)
        for (int i = 0; i < n; i++)
            sum += q[i];
    }
    for (double **p = row; p < row + ROWS; p++) {
        double *q = *p;
        sum -= q[0];
        #pragma omp target exit data map(delete: q[0:n])
    }
    printf("%g\n", sum);
    free(block);
    return 0;
}
