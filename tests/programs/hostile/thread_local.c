// thread_local: variables of which every thread has its own cannot be mapped or reduced.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N];
static _Thread_local int total = 3;
static _Thread_local int own[N];

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

void kernel_total(void)
{
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:total)
        total += a[i];
}

void kernel_own(void)
{
    for (int i = 0; i < N; i++) // loop: parallel
        own[i] = a[i] + total;
}

int main(void)
{
    fill(a, N, 5);
    kernel_total();
    kernel_own();
    printf("total %d\n", total);
    show("own", own, N);
    return 0;
}
