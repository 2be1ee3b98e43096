// sign_of_bytes: an offset is stored as an unsigned number and read back as a signed one, which is minus one.
// sizes: -DN=101
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

void kernel_shift(int *v, int n)
{
    if (n < 1 || n > 1000000)
        return;
    unsigned bits = 4294967295u;
    int shift = *(int *)&bits;
    for (int i = 1; i < n; i++) // loop: parallel_if // not if shift is -1, as it is
        v[i] = v[i + shift] + 1;
}

int main(void)
{
    fill(a, 2 * N, 5);
    kernel_shift(a, N);
    show("a", a, 2 * N);
    return 0;
}
