// Shows: two kernels write what lies below and above of a matrix' diagonal; the diagonal comes back unwritten.
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
            for (int j = i + 1; j < N; j++)
                m[i][j] = i - j;
    }
    for (int i = 0; i < N; i++)
        trace += m[i][i]; // finds: copied-back-unwritten m
    printf("%d\n", trace);
    return 0;
}
