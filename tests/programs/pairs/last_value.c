// last_value: scalars whose last value is used, but not every iteration sets them.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N], b[N];

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

int kernel_last(int n)
{
    int s = 3;
    int t = 7;
    for (int i = 0; i < n; i++) { // loop: sequential, because the last value of t is that of the last iteration that sets it
        if (a[i] > 0)
            t = a[i];
        else
            s = 1 - a[i];
        b[i] = a[i] * 2;
    }
    return t * 100 + s;
}

int kernel_middle(int n, const int *v, int *w)
{
    int k = 5;
    double half = 0.5;
    for (int i = 2; i < n - 1; i++) { // loop: parallel_if, lastprivate(half, k)
        int sum = 0;
        for (int j = 0; j < i; j++) // loop: parallel, reduction(+:sum)
            sum += v[j];
        k = sum + i;
        half = sum / 2.0;
        w[i] += sum;
    }
    return (int)(half * 2) + k * 1000;
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    printf("%d\n", kernel_last(N));
    printf("%d\n", kernel_last(1));
    printf("%d\n", kernel_last(0));
    printf("%d\n", kernel_last(-2147483647 - 1));
    printf("%d\n", kernel_middle(N, a, b));
    printf("%d\n", kernel_middle(4, a, b));
    printf("%d\n", kernel_middle(3, a, b));
    printf("%d\n", kernel_middle(-5, a, b));
    printf("%d\n", kernel_middle(-2147483647, a, b));
    printf("%d\n", kernel_middle(9, b, b));
    show("b", b, N);
    return 0;
}
