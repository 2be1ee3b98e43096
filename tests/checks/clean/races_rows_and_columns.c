// Rows, then columns, with the barrier of the loop between them.
// judge: no race
#include <stdio.h>

int main(void)
{
    static int m[60][60], sums[60];
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < 60; i++)
            for (int j = 0; j < 60; j++)
                m[i][j] = i * j;
        #pragma omp for nowait
        for (int j = 0; j < 60; j++) {
            int sum = 0;
            for (int i = 0; i < 60; i++)
                sum += m[i][j];
            sums[j] = sum;
        }
    }
    printf("%d\n", sums[59]);
    return 0;
}
