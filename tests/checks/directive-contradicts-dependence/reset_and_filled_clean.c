// Shows: each iteration has elements of its own.
// judge: no race
#include <stdio.h>

int main(void)
{
    int sums[300];
    #pragma omp parallel for
    for (int i = 0; i < 300; i++) {
        int row[40];
        for (int j = 0; j < 40; j++)
            row[j] = 0;
        for (int j = 1; j < 40; j++)
            row[j] = row[j - 1] + i;
        sums[i] = row[39];
    }
    for (int i = 0; i < 300; i++)
        printf("%d\n", sums[i]);
    return 0;
}
