// Shows: each iteration has its own temporary.
// judge: no race
#include <stdio.h>

#define N 150

int main(void)
{
    int a[N], b[N];
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = N - i;
    }
    #pragma omp target teams distribute parallel for map(tofrom: a, b)
    for (int i = 0; i < N; i++) {
        int t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
    for (int i = 0; i < N; i++)
        printf("%d %d\n", a[i], b[i]);
    return 0;
}
