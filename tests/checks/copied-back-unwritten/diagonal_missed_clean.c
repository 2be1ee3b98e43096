// Shows: two kernels write a matrix, the second one with its diagonal.
#include <stdio.h>

#define N 12

static int m[N][N];

int main(void)
{
    int trace = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = i;
    #pragma omp target data map(from: m)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            for (int j = 0; j < i; j++)
                m[i][j] = i + j;
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            for (int j = i; j < N; j++)
                m[i][j] = i - j;
    }
    for (int i = 0; i < N; i++)
        trace += m[i][i];
    printf("%d\n", trace);
    return 0;
}
