// early_return_twin: a function that goes on at a negative element.
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

void kernel_while_positive(int limit)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        if (a[i] < limit)
            continue;
        b[i] = a[i] + i;
    }
}

int main(void)
{
    fill(a, N, 1);
    fill(b, N, 3);
    kernel_while_positive(-1000);
    show("b", b, N);
    fill(b, N, 3);
    a[N / 2] = -500;
    kernel_while_positive(-100);
    show("b", b, N);
    return 0;
}
