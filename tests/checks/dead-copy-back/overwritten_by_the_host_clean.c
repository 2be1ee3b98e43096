// a is not copied back.
#include <stdio.h>

static long total(int n, const int *v)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

int main(void)
{
    int a[80], b[80];
    for (int i = 0; i < 80; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(to: a) map(from: b)
    for (int i = 0; i < 80; i++) {
        a[i] = a[i] * 2;
        b[i] = a[i] + 1;
    }
    for (int i = 0; i < 80; i++)
        a[i] = 1;
    printf("%ld %ld\n", total(80, a), total(80, b));
    return 0;
}
