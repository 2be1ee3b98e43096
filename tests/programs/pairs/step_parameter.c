// step_parameter: a step that is changed in the loop.
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

int kernel_step(int step)
{
    int m = 0;
    if (step <= 0)
        return -1;
    for (int i = 0; i < N; i += step) { // loop: sequential, pair(+2 step += a[i] & 1, +2 step), because step changes
        b[i] = a[i] * 2;
        step += a[i] & 1;
    }
    return m * 100 + step;
}

int main(void)
{
    int last;

    fill(a, N, 5);
    fill(b, N, 3);
    last = kernel_step(1);
    show("b", b, N);
    printf("%d\n", last);
    last = kernel_step(3);
    show("b", b, N);
    printf("%d\n", last);
    return 0;
}
