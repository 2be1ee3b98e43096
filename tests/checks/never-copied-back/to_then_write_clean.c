// Shows: the kernel writes y, which is mapped from the device; the host reads y afterwards.
#include <stdio.h>

#define N 100

int main(void)
{
    int x[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = i;
        y[i] = 0;
    }
    #pragma omp target teams distribute parallel for map(to: x) map(from: y)
    for (int i = 0; i < N; i++)
        y[i] = 7 * x[i];
    for (int i = 0; i < N; i++)
        printf("%d\n", y[i]);
    return 0;
}
