// short_circuit_twin: a condition whose second operand only reads.
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

int kernel_first_five(int count)
{
    for (int i = 0; i < N; i++) // loop: parallel
        if (a[i] > 0 && count < 5)
            b[i] = a[i] * 100;
    return count;
}

int main(void)
{
    int count;

    fill(a, N, 5);
    fill(b, N, 3);
    count = kernel_first_five(0);
    show("b", b, N);
    printf("%d\n", count);
    return 0;
}
