// output_dependence: the last positive element, remembered in one place.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N], out[N];

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

void kernel_last(void)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(+2 out[0], +2 out[0]), because out[0] keeps the value of the last positive element
        if (a[i] > 0)
            out[0] = a[i] * 100 + i;
}

int main(void)
{
    fill(a, N, 5);
    fill(out, N, 3);
    kernel_last();
    show("out", out, N);
    return 0;
}
