// Shows: the lower triangle is written on the device, comes back with memory that nothing was written to, and only the triangle is read.
#include <stdio.h>

#define N 20

static int m[N][N];

int main(void)
{
    int sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = 5;
    #pragma omp target teams distribute parallel for map(from: m)
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            m[i][j] = i - j;
    for (int i = 0; i < N; i++)
        for (int j = i; j >= 0; j--)
            sum += m[i][j];
    printf("%d\n", sum);
    return 0;
}
