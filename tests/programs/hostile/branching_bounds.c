// branching_bounds: sections in a data environment whose bounds are written with `&&`, which a compiler dies of.
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

void kernel_upper_part(int n)
{
    for (int i = n / 4; i < n / 2; i++) // loop: parallel
        a[i] += b[i];
    for (int i = n / 4; i < n; i++) // loop: parallel
        b[i] = b[i] * 3 + 1;
}

void kernel_shifted(int n)
{
    for (int i = 1; i < n - n / 4; i++) // loop: parallel
        a[i + n / 4] += 3;
    for (int i = n / 3; i < n; i++) // loop: parallel
        b[i] += a[i];
}

int main(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        a[i] = i % 5;
        b[i] = i % 7;
    }
    kernel_upper_part(N);
    show("a", a, N);
    show("b", b, N);
    kernel_shifted(N);
    show("a", a, N);
    show("b", b, N);
    kernel_upper_part(3);
    kernel_upper_part(0);
    show("b", b, N);
    return 0;
}
