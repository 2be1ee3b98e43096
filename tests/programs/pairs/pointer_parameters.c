// pointer_parameters: an addition through pointer parameters.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

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

void kernel_add(int n, const int *x, int *y)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        y[i] += x[i]; // read x[0 .. n-1], read y[0 .. n-1], write y[0 .. n-1]
}

int main(void)
{
    static int x[N], y[N], both[2 * N];

    fill(x, N, 5);
    fill(y, N, 3);
    kernel_add(N, x, y);
    show("disjoint", y, N);
    kernel_add(1, x, y);
    kernel_add(0, x, y);
    kernel_add(-1, x, y);
    show("small n", y, N);
    fill(both, 2 * N, 3);
    kernel_add(N, both, both + N);
    show("by n", both, 2 * N);
    fill(both, 2 * N, 3);
    kernel_add(N, both, both + 1); // the twin must keep to what restrict promises
    show("by one", both, 2 * N);
    return 0;
}
