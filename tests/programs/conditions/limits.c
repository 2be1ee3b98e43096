// limits: a limit that is the greatest value of its type means that there is none; sections must not be computed with it.
// sizes: -DN=101
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

static void fill(int *v, int n, int seed)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * seed + i / 16) % 11 - 5;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_up_to(unsigned n, unsigned limit, int *a)
{
    for (unsigned i = 0; i < n; i++) // loop: parallel
        if (i <= limit)
            a[i] = (int)(2 * i + 1);
}

void kernel_behind(size_t n, size_t limit, int *a)
{
    for (size_t i = 0; i < n; i++) // loop: parallel
        if (i > limit)
            a[i] = 7;
}

void kernel_clamped(unsigned n, unsigned last, int *restrict a, const int *restrict b)
{
    for (unsigned i = 0; i < n; i++) { // loop: parallel
        unsigned from = i < last ? i : last;
        a[i] = b[from] + 1;
    }
}

void kernel_signed(int n, int limit, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        if (i <= limit)
            a[i] = 3 - i;
}

void kernel_last(int n, int limit, int *a)
{
    int last = limit < n - 1 ? limit : n - 1;
    for (int i = 0; i <= last; i++) // loop: parallel
        a[i] = i * i % 13;
}

void kernel_high(int low, int high, int *a)
{
    for (long i = low; i <= high; i++) // loop: parallel
        a[i - low] = (int)(i % 17);
}

int main(void)
{
    int *a = malloc((N + 1) * sizeof *a), *b = malloc((N + 1) * sizeof *b);
    if (!a || !b)
        return 1;
    fill(a, N + 1, 3);
    fill(b, N + 1, 5);
    kernel_up_to(N, UINT_MAX, a);
    show("no limit", a, N);
    kernel_up_to(N / 2, 4, a);
    show("limit", a, N);
    kernel_behind(N, SIZE_MAX, a);
    show("behind all", a, N);
    kernel_behind(N, N - 3, a);
    show("behind", a, N);
    kernel_clamped(N, UINT_MAX, a, b);
    show("not clamped", a, N);
    kernel_clamped(N, 5, a, b);
    show("clamped", a, N);
    kernel_signed(N, INT_MAX, a);
    show("no limit (int)", a, N);
    kernel_signed(N, -1, a);
    show("nothing", a, N);
    kernel_last(N, INT_MAX, a);
    show("to the last", a, N);
    kernel_high(INT_MAX - N + 1, INT_MAX, a);
    show("high", a, N);
    free(a);
    free(b);
    return 0;
}
