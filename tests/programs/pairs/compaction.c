// compaction: writing through a running position that grows by a value of this iteration.
// sizes: -DN=101
// variants: long split
// not: reversed
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N], b[2 * N];

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

int kernel_compact(void)
{
    int k = 0;
    int two = 2;
    for (int i = 0; i < N; i++) { // loop: sequential, pair(+2 b[k], +2 b[k]), because k depends on the elements before
        int odd = a[i] & 1;
        b[k] = a[i] * 10 + odd;
        k += odd;
    }
    return k + two;
}

int main(void)
{
    int k;

    fill(a, N, 5);
    fill(b, 2 * N, 3);
    k = kernel_compact();
    show("b", b, 2 * N);
    printf("%d\n", k);
    return 0;
}
