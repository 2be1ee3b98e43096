// greatest_divisor: even elements from even ones.
// sizes: -DN=101
// variants: long unsigned split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[2 * N + 1];

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

void kernel_even(void)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(+1 a[2 * i], +1 a[2 * i + 2]), because a[2 * i + 2] is written by the next iteration
        a[2 * i] = a[2 * i + 2] + i;
}

int main(void)
{
    fill(a, 2 * N + 1, 5);
    kernel_even();
    show("a", a, 2 * N + 1);
    return 0;
}
