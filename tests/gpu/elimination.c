// Elimination along j, which carries: i comes between k and j. IPDA figure 12.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 162
#endif

static double lhs[3][N][N][N];

int main(void)
{
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    lhs[m][k][j][i] = (m + k + j + i) % 3 - 1;
    double seconds = 0;
    #pragma omp target data map(tofrom: lhs)
    for (int round = 0; round < 3; round++) {
        double begin = omp_get_wtime();
        #pragma omp target teams distribute parallel for map(tofrom: lhs)
        for (int k = 1; k <= N - 2; k++)
            for (int j = 0; j <= N - 3; j++)
                for (int i = 1; i <= N - 2; i++) {
                    double factor = lhs[0][k][j][i];
                    lhs[1][k][j][i] = factor * lhs[1][k][j][i];
                    lhs[2][k][j + 1][i] = lhs[2][k][j + 1][i] - lhs[2][k][j][i] * factor;
                }
        if (round > 0)
            seconds += omp_get_wtime() - begin;
    }
    double sum = 0;
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++)
                    sum += lhs[m][k][j][i] * (1 + (k + i) % 4);
    printf("%.0f\n", sum);
    fprintf(stderr, "seconds %.9f\n", seconds / 2);
    return 0;
}
