// bound_in_array: a bound that lies in the array that the loop writes.
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

void kernel_bound(void)
{
    for (int i = 0; i < a[0]; i++) // loop: sequential, pair(+1 a[i], +0 a[0]), because the bound a[0] is written by the first iteration
        a[i] = b[i] - 12;
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    a[0] = N;
    b[0] = N - 5;
    kernel_bound();
    show("a", a, N);
    return 0;
}
