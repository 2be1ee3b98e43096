// Shows: the host doubles x inside the data environment, and the second kernel reads the values from before.
#include <stdio.h>

#define N 128

int main(void)
{
    int x[N], y[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    #pragma omp target data map(to: x) map(from: y)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            y[i] = x[i];
        for (int i = 0; i < N; i++)
            x[i] *= 2;
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            y[i] += x[i]; // finds: stale-device-read x
    }
    for (int i = 0; i < N; i++)
        printf("%d\n", y[i]);
    return 0;
}
