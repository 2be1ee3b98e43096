// count_down: loops that count an unsigned variable down to 0, which wraps around where the loop ends.
// sizes: -DN=101
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static long a[N], b[N];

static void fill(long *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

void kernel_decrement_in_the_test(unsigned n)
{
    for (unsigned i = n; i-- > 0;) // loop: parallel
        a[i] = 2 * b[i] + (long)i;
}

void kernel_until_zero(size_t n)
{
    size_t i = n;
    while (i--) // loop: parallel
        a[i] = a[i] + 3 * b[i];
}

/* What is left of the counter is the greatest number, not -1 below 0. */
size_t kernel_what_is_left(size_t n)
{
    size_t i = n;
    while (i-- > 0) // loop: parallel
        a[i] = a[i] - b[i];
    if (i < n)
        a[0] = 12345;
    return i;
}

unsigned char kernel_narrow(unsigned char n)
{
    while (n-- != 0) // loop: parallel
        a[n] = a[n] ^ b[n];
    return n;
}

/* The element above is still the old one. */
void kernel_from_above(unsigned n)
{
    for (unsigned i = n; i-- > 1;) // loop: sequential, pair(+1 a[i], +1 a[i - 1]), because a[i - 1] is written after a[i] has read it
        a[i] = a[i - 1] + b[i];
}

static void show(const char *name, const long *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, (int)v[0], (int)v[n / 2], (int)v[n - 1]);
}

int main(void)
{
    fill(a, N, 3);
    fill(b, N, 5);
    kernel_decrement_in_the_test(N);
    show("a", a, N);
    kernel_until_zero(N - 4);
    show("a", a, N);
    printf("%d\n", kernel_what_is_left(N - 2) == SIZE_MAX);
    printf("%d\n", kernel_what_is_left(0) == SIZE_MAX);
    show("a", a, N);
    printf("%d\n", kernel_narrow(N - 3));
    show("a", a, N);
    kernel_from_above(N);
    show("a", a, N);
    return 0;
}
