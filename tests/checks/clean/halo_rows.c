// Shows: only the halo rows are exchanged between host and device; the host reads and writes no others meanwhile.
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 10, COLUMNS = 16 };

int main(void)
{
    int size = ROWS * COLUMNS, *g = malloc(size * sizeof *g);
    for (int k = 0; k < size; k++)
        g[k] = k % 6;
    #pragma omp target enter data map(to: g[0:size])
    for (int step = 0; step < 4; step++) {
        #pragma omp target teams distribute parallel for
        for (int j = 0; j < COLUMNS; j++)
            for (int i = 1; i < ROWS - 1; i++)
                g[i * COLUMNS + j] = (g[(i - 1) * COLUMNS + j] + g[i * COLUMNS + j] + 1) % 50;
        #pragma omp target update from(g[(ROWS - 2) * COLUMNS:COLUMNS])
        // The row before the last becomes the first, as in a ring of one.
        for (int j = 0; j < COLUMNS; j++)
            g[j] = g[(ROWS - 2) * COLUMNS + j];
        #pragma omp target update to(g[0:COLUMNS])
    }
    #pragma omp target exit data map(from: g[0:size])
    for (int k = 0; k < size; k++)
        printf("%d\n", g[k]);
    free(g);
    return 0;
}
