// halved_subscript: a subscript i / 2, which two iterations share.
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

void kernel_halves(void)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(+1 a[i / 2], +1 a[i / 2]), because iterations 2 * k and 2 * k + 1 write one element
        a[i / 2] = b[i];
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    kernel_halves();
    show("a", a, N);
    return 0;
}
