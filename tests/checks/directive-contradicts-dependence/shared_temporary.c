// Shows: the iterations share one temporary that is declared outside and mapped.
// judge: race
#include <stdio.h>

#define N 150

int main(void)
{
    int a[N], b[N], t = 0;
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = N - i;
    }
    #pragma omp target teams distribute parallel for map(tofrom: a, b, t) // finds: directive-contradicts-dependence t
    for (int i = 0; i < N; i++) {
        t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
    for (int i = 0; i < N; i++)
        printf("%d %d\n", a[i], b[i]);
    return 0;
}
