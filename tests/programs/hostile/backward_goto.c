// backward_goto: a local array that only earlier text reads, behind a jump back.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N];

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

int kernel_repeat(int *restrict v)
{
    int last[N], count = 0, s = 0;
    for (int i = 0; i < N; i++) // loop: parallel
        last[i] = i;
again:
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:s)
        s += last[i] * (i % 5);
    for (int i = 0; i < N; i++) // loop: parallel
        last[i] = v[i] + count;
    if (++count < 3)
        goto again;
    return s;
}

int main(void)
{
    fill(a, N, 3);
    printf("%d\n", kernel_repeat(a));
    show("a", a, N);
    return 0;
}
