// Shows: the reduction of a loop inside adds its sum to a variable that the threads of the loop around share.
// judge: race
#include <stdio.h>

static double a[100][100];

int main(void)
{
    double s = 0;
    for (int i = 0; i < 10000; i++)
        a[i / 100][i % 100] = i % 9;
    #pragma omp parallel for // finds: directive-contradicts-dependence s
    for (int i = 0; i < 100; i++) {
        #pragma omp simd reduction(+: s)
        for (int j = 0; j < 100; j++)
            s += a[i][j];
    }
    printf("%g\n", s);
    return 0;
}
