// stride_parameter: a stride that is a parameter, and may be zero.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[3 * N], b[N];

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

void kernel_stride(int stride)
{
    for (int i = 0; i < N; i++) // loop: parallel_if // stride != 0
        a[i * stride] = b[i] + stride;
}

int main(void)
{
    fill(a, 3 * N, 5);
    fill(b, N, 3);
    kernel_stride(3);
    show("three", a, 3 * N);
    kernel_stride(1);
    show("one", a, 3 * N);
    kernel_stride(0);
    show("zero", a, 3 * N);
    return 0;
}
