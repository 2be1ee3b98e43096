// Shows: the same sum with b copied in.
#include <stdio.h>

#define N 100

static int a[N], b[N];

int main(void)
{
    int sum = 0;
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 3 * i + 1;
    }
    #pragma omp target teams distribute parallel for map(to: b) map(tofrom: a)
    for (int i = 0; i < N; i++)
        a[i] += b[i];
    for (int i = 0; i < N; i++)
        sum += a[i];
    printf("%d\n", sum);
    return 0;
}
