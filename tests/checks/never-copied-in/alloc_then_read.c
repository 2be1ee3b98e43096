// Shows: b is only allocated on the device; the kernel reads it and sums what happens to lie there.
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
    #pragma omp target teams distribute parallel for map(alloc: b) map(tofrom: a)
    for (int i = 0; i < N; i++)
        a[i] += b[i]; // finds: never-copied-in b
    for (int i = 0; i < N; i++)
        sum += a[i];
    printf("%d\n", sum);
    return 0;
}
