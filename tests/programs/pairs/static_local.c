// static_local: a call of a function with a static local counter.
// sizes: -DN=101
// variants: long unsigned split
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

static int running(int x)
{
    static int seen = 0;
    seen += x;
    return seen;
}

void kernel_running(void)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(seen, seen), because running keeps a sum between calls
        b[i] = running(a[i]);
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    kernel_running();
    show("b", b, N);
    return 0;
}
