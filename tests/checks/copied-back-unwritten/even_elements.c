// Shows: only the even elements are written on the device, but all come back, the odd ones as garbage.
#include <stdio.h>

#define N 100

int main(void)
{
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = 10;
    #pragma omp target teams distribute parallel for map(from: v)
    for (int i = 0; i < N; i += 2)
        v[i] = i;
    for (int i = 0; i < N; i++)
        printf("%d\n", v[i]); // finds: copied-back-unwritten v
    return 0;
}
