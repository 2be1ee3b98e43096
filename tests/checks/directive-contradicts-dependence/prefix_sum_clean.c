// Shows: every iteration needs the one before, and the region runs them one after the other.
// judge: no race
#include <stdio.h>

#define N 200

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
    #pragma omp target map(tofrom: a)
    for (int i = 1; i < N; i++)
        a[i] += a[i - 1];
    for (int i = 0; i < N; i++)
        printf("%d\n", a[i]);
    return 0;
}
