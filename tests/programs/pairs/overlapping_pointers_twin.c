// overlapping_pointers_twin: a static function that is called with two pointers into two arrays.
// sizes: -DN=101
// variants: long
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int block[N + 5], other[N + 5];

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

static void kernel_shift(int n, const int *x, int *y)
{
    for (int i = 0; i < n; i++) // loop: parallel
        y[i] = x[i] + 1;
}

int main(void)
{
    fill(block, N + 5, 5);
    fill(other, N + 5, 3);
    kernel_shift(N, block, other + 5);
    show("block", block, N + 5);
    show("other", other, N + 5);
    return 0;
}
