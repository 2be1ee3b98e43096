// Shows: one kernel writes the lower triangle of a linearised matrix, another one the rest; together that is all of it.
#include <stdio.h>

#define N 16

static int m[N * N];

int main(void)
{
    for (int k = 0; k < N * N; k++)
        m[k] = -1;
    #pragma omp target data map(from: m)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++)
                m[i * N + j] = i + j;
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            for (int j = i + 1; j < N; j++)
                m[i * N + j] = i - j;
    }
    for (int k = 0; k < N * N; k++)
        printf("%d\n", m[k]);
    return 0;
}
