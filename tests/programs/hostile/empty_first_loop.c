// empty_first_loop: a loop that writes all of an array and may not run, before one that writes a part of it and may not either.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[2 * N], flags[N];

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_first(int n, int *restrict v, const int *restrict c)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = i + c[0];
    for (int i = 0; i < 1; i++) // loop: parallel
        if (c[i])
            v[i] = 5;
}

void kernel_rows(int n, int *restrict v, const int *restrict c)
{
    for (int j = 0; j < n - N; j++) // loop: parallel
        for (int i = 0; i < n; i++) // loop: parallel
            v[j * n + i] = i + c[0];
    for (int i = 0; i < N; i++) // loop: parallel
        if (c[i])
            v[i] = 5;
}

int main(void)
{
    for (int i = 0; i < 2 * N; i++) // loop: parallel
        a[i] = i + 1;
    kernel_first(0, a, flags);
    kernel_rows(10, a, flags);
    show("a", a, 2 * N);
    flags[N / 2] = 1;
    kernel_first(N, a, flags);
    kernel_rows(N + 1, a, flags);
    show("a", a, 2 * N);
    return 0;
}
