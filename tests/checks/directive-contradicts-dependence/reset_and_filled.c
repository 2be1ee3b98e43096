// Shows: all iterations set the same elements to zero, which is one value, and then add to them.
// judge: race
#include <stdio.h>

int main(void)
{
    int sums[300], row[40];
    #pragma omp parallel for // finds: directive-contradicts-dependence row
    for (int i = 0; i < 300; i++) {
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
