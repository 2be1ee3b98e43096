// Shows: the loop around reduces the sum of the loop inside, too.
// judge: no race
#include <stdio.h>

static double a[100][100];

int main(void)
{
    double s = 0;
    for (int i = 0; i < 10000; i++)
        a[i / 100][i % 100] = i % 9;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < 100; i++) {
        #pragma omp simd reduction(+: s)
        for (int j = 0; j < 100; j++)
            s += a[i][j];
    }
    printf("%g\n", s);
    return 0;
}
