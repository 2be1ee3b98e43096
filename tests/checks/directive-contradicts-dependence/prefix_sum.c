// Shows: every iteration needs the one before, but the directive runs them at the same time.
// judge: race
#include <stdio.h>

#define N 200

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: a) // finds: directive-contradicts-dependence a
    for (int i = 1; i < N; i++)
        a[i] += a[i - 1];
    for (int i = 0; i < N; i++)
        printf("%d\n", a[i]);
    return 0;
}
