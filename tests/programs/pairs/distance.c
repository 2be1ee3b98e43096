// distance: a copy over a distance of one less than the number of iterations.
// sizes: -DN=101
// variants: long unsigned split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[2 * N];

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

void kernel_distance(void)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(+1 a[i + N - 1], +1 a[i]), because a[N - 1] is written by the first iteration and read by the last
        a[i + N - 1] = a[i] * 2;
}

int main(void)
{
    fill(a, 2 * N, 5);
    kernel_distance();
    show("a", a, 2 * N);
    return 0;
}
