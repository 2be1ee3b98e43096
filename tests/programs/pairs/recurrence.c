// recurrence: every element is computed from the one before.
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

void kernel_recurrence(void)
{
    for (int i = 1; i < N; i++) // loop: sequential, pair(+1 a[i], +1 a[i - 1]), because a[i - 1] is written by the iteration before
        a[i] = a[i - 1] + b[i];
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    kernel_recurrence();
    show("a", a, N);
    return 0;
}
