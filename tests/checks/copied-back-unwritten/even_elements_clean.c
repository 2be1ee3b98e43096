// Shows: only the even elements are written on the device; the array is copied in too, so that the odd ones stay.
#include <stdio.h>

#define N 100

int main(void)
{
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = 10;
    #pragma omp target teams distribute parallel for map(tofrom: v)
    for (int i = 0; i < N; i += 2)
        v[i] = i;
    for (int i = 0; i < N; i++)
        printf("%d\n", v[i]);
    return 0;
}
