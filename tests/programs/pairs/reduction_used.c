// reduction_used: a sum whose partial values are used.
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

int kernel_sum(int t)
{
    int s = 0;
    for (int i = 0; i < N; i++) { // loop: sequential, pair(+1 s += a[i], +1 s), because b[i] is the sum up to i
        s += a[i];
        b[i] = s;
    }
    return s + t;
}

int main(void)
{
    int s;

    fill(a, N, 5);
    fill(b, N, 3);
    s = kernel_sum(4);
    show("b", b, N);
    printf("sum %d\n", s);
    return 0;
}
