// scalar_carried: a scalar that carries the element of the iteration before.
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

int kernel_carry(void)
{
    int t = 7;
    for (int i = 0; i < N; i++) { // loop: sequential, pair(+3 t = u, +2 t), because t is used before it is assigned
        int u = a[i] * 3;
        b[i] = t + u;
        t = u;
    }
    return t;
}

int main(void)
{
    int last;

    fill(a, N, 5);
    fill(b, N, 3);
    last = kernel_carry();
    show("b", b, N);
    printf("%d\n", last);
    return 0;
}
