// symbolic_distance_twin: a copy over a distance that is a parameter, within two arrays.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[3 * N], b[3 * N];

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

void kernel_distance(int k)
{
    for (int i = N; i < 2 * N; i++) // loop: parallel
        a[i] = b[i + k] + 1;
}

int main(void)
{
    fill(b, 3 * N, 5);
    fill(a, 3 * N, 3);
    kernel_distance(N);
    show("N", a, 3 * N);
    kernel_distance(-N);
    show("-N", a, 3 * N);
    kernel_distance(0);
    show("0", a, 3 * N);
    kernel_distance(-1);
    show("-1", a, 3 * N);
    kernel_distance(1);
    show("1", a, 3 * N);
    kernel_distance(N - 1);
    show("N - 1", a, 3 * N);
    return 0;
}
