// bound_changed: a loop that changes its own bound.
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

int kernel_shrink(int n)
{
    int m = n;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 n -= a[i] > 3, +0 n), because n is its bound and changes
        b[i] = a[i] + 1;
        n -= a[i] > 3;
    }
    return n * 1000 + m;
}

int main(void)
{
    int left;

    fill(a, N, 5);
    fill(b, N, 3);
    left = kernel_shrink(N);
    show("b", b, N);
    printf("left %d\n", left);
    return 0;
}
