// never_runs: loops on paths that are never taken, of which anything can be proved.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static unsigned a[N], b[N];

static void show(const char *name, const unsigned *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %u middle %u last %u\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_known(int n)
{
    unsigned odd = 3;
    if (odd & 1) {
        for (int i = 0; i < n; i++) // loop: parallel
            a[i] += i;
    } else {
        for (int i = 0; i < 25; i++) // loop: parallel
            b[i] = i;
        for (int i = 0; i < n / 2; i++) // loop: parallel
            a[i] = a[i + n / 2] + b[i];
    }
}

void kernel_excluded(int n)
{
    if (n > 20) {
        for (int i = 0; i < n; i++) // loop: parallel
            b[i] += a[i];
        if (n < 10)
            for (int i = 0; i < n; i++) // loop: parallel
                b[i + 5] = a[i + 3];
    }
}

int main(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        a[i] = i % 5;
        b[i] = i % 7;
    }
    kernel_known(N);
    show("a", a, N);
    kernel_excluded(N);
    show("b", b, N);
    return 0;
}
