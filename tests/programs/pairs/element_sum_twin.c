// element_sum_twin: elements behind pointers that every iteration changes; the order does not matter.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N], b[N + 1], c[N], q[5];

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

void kernel_sum(int n, const int *v, int *to)
{
    for (int i = 0; i < n; i++) // loop: parallel_if, reduction(+:to[2])
        to[2] = (to[2] + i) + v[i];
}

void kernel_most(int n, int k, const int *v, int *to)
{
    for (int i = 0; i < n; i++) // loop: parallel_if, reduction(max:to[k + 1])
        if (v[i] > to[k + 1])
            to[k + 1] = v[i];
}

void kernel_rows(int n, const int *restrict v, int *restrict sums, int *restrict w)
{
    for (int t = 0; t < n; t++) { // loop: sequential, pair(+2 sums[t + 1], +4 sums[t]), because an iteration reads the sum of the one before
        for (int j = 0; j < n; j++) // loop: parallel, reduction(+:sums[t + 1])
            sums[t + 1] += v[j] * (t % 5);
        for (int j = 0; j < n; j++) // loop: parallel
            w[j] = (w[j] * 3 + sums[t]) % 101;
    }
}

int main(void)
{
    fill(a, N, 5);
    fill(q, 5, 3);
    kernel_sum(N, a, q);
    kernel_most(N, 2, a, q);
    show("q", q, 5);
    kernel_sum(0, a, q);
    kernel_most(-7, 2, a, q);
    show("q", q, 5);
    kernel_sum(N - 2, a + 2, a);
    kernel_sum(N - 2, a, a);
    kernel_most(N, 2, a, a);
    show("a", a, N);
    fill(c, N, 3);
    kernel_rows(N, a, b, c);
    show("c", c, N);
    show("b", b, N + 1);
    return 0;
}
