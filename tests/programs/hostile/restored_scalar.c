// restored_scalar: a scalar that every iteration changes and restores.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N];

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

int kernel_restore(int x)
{
    for (int i = 0; i < N; i++) { // loop: unknown
        x = x + 1;
        a[i] = x * i;
        for (int j = 0; j < 50; j++) // loop: parallel, reduction(+:a[i])
            a[i] += x;
        x = x - 1;
    }
    return x;
}

int main(void)
{
    printf("%d\n", kernel_restore(3));
    show("a", a, N);
    return 0;
}
