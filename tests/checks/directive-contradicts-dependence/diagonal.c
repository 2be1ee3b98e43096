// Shows: every element needs the one above and to the left of it, and the rows are given to teams.
// judge: race
#include <stdio.h>

#define N 60

int main(void)
{
    static int m[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = (i * 7 + j * 3) % 11;
    #pragma omp target teams distribute parallel for map(tofrom: m) // finds: directive-contradicts-dependence m
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++)
            m[i][j] += m[i - 1][j - 1];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%d\n", m[i][j]);
    return 0;
}
