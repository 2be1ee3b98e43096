// pointer_reassigned: one pointer names two arrays, one after the other: the data of both kernels cannot be mapped by its name at once.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N], b[N], q[N];

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

void kernel_two(int n, int *restrict x, int *restrict y, int *restrict z)
{
    int *p = x;
    for (int i = 0; i < n; i++) // loop: parallel
        p[i] = z[i] + 1;
    p = y;
    for (int i = 0; i < n; i++) // loop: parallel
        z[i] = p[i] + 2;
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    fill(q, N, 7);
    kernel_two(N, a, b, q);
    show("a", a, N);
    show("b", b, N);
    show("q", q, N);
    return 0;
}
