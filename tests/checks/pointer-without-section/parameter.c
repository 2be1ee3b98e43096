// Shows: an array parameter is a pointer: map(tofrom: y) maps eight bytes.
#include <stdio.h>

#define N 100

static void negate(int n, int y[N])
{
    #pragma omp target teams distribute parallel for map(tofrom: y) // finds: pointer-without-section y
    for (int i = 0; i < n; i++)
        y[i] = -y[i];
}

int main(void)
{
    int y[N];
    for (int i = 0; i < N; i++)
        y[i] = i;
    negate(N, y);
    for (int i = 0; i < N; i++)
        printf("%d\n", y[i]);
    return 0;
}
