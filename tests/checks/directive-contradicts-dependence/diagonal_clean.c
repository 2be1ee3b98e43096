// Shows: every element needs the one above and to the left of it; the rows are run in order, the columns given to teams.
// judge: no race
#include <stdio.h>

#define N 60

int main(void)
{
    static int m[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = (i * 7 + j * 3) % 11;
    #pragma omp target data map(tofrom: m)
    for (int i = 1; i < N; i++) {
        #pragma omp target teams distribute parallel for
        for (int j = 1; j < N; j++)
            m[i][j] += m[i - 1][j - 1];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%d\n", m[i][j]);
    return 0;
}
