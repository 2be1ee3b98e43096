// The blocks that a loop allocates are read when all are done.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *block[4], sum = 0;
    for (int k = 0; k < 4; k++) {
        int *b = malloc(10 * sizeof *b);
        #pragma omp target teams distribute parallel for map(from: b[0:10])
        for (int i = 0; i < 10; i++)
            b[i] = i + k;
        block[k] = b;
    }
    for (int k = 0; k < 4; k++) {
        sum += block[k][9];
        free(block[k]);
    }
    printf("%d\n", sum);
    return 0;
}
