// state: helper functions that keep something, use what is shared, or call themselves.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

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

static int calls;
static const int table[4] = { 3, 1, 4, 1 };
static int scale = 2;

static int counted(int value)
{
    static int before;
    int result = value + before;
    before = value % 5;
    return result;
}

static int numbered(int value)
{
    calls++;
    return value + calls % 3;
}

static int looked_up(int i)
{
    return table[i & 3];
}

static int scaled(int value)
{
    return value * scale;
}

static int factorial(int k)
{
    return k < 2 ? 1 : k * factorial(k - 1) % 1009;
}

static void smooth_in(int *scratch, const int *from, int *to)
{
    for (int k = 0; k < 3; k++) // loop: parallel
        scratch[k] = from[k] * 2;
    *to = scratch[0] + scratch[1] + scratch[2];
}

static int smooth(const int *from)
{
    int own[3];
    for (int k = 0; k < 3; k++) // loop: parallel
        own[k] = from[k] * 2;
    return own[0] + own[1] + own[2];
}

static int up(int k);

static int down(int k)
{
    return k <= 0 ? 0 : up(k - 1) + 1;
}

static int up(int k)
{
    return k <= 0 ? 7 : down(k - 2) + 2;
}

void kernel_counted(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(before, before), because a value is kept from call to call
        a[i] = counted(i);
}

void kernel_numbered(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(calls, calls), because the calls are counted
        a[i] = numbered(i);
}

void kernel_looked_up(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] += looked_up(i);
}

void kernel_scaled(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = scaled(a[i]);
}

void kernel_factorial(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = factorial(i % 9);
}

void kernel_shared(int n, int *restrict scratch, int *restrict to, const int *restrict from)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(scratch[k], scratch[k]), because all use one scratch array
        smooth_in(scratch, from + i, to + i);
}

void kernel_own(int n, int *restrict to, const int *restrict from)
{
    for (int i = 0; i < n; i++) // loop: parallel
        to[i] = smooth(from + i);
}

void kernel_in_turn(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] += down(i % 6);
}

int main(void)
{
    static int a[N + 3], b[N + 3], scratch[3];

    fill(a, N + 3, 5);
    kernel_counted(N, a);
    show("counted", a, N);
    kernel_numbered(N, a);
    show("numbered", a, N);
    kernel_looked_up(N, a);
    show("looked up", a, N);
    scale = 3;
    kernel_scaled(N, a);
    show("scaled", a, N);
    kernel_factorial(N, a);
    show("factorial", a, N);
    fill(a, N + 3, 7);
    kernel_shared(N, scratch, b, a);
    show("shared", b, N);
    printf("scratch: %d %d %d\n", scratch[0], scratch[1], scratch[2]);
    kernel_own(N, b, a);
    show("own", b, N);
    kernel_in_turn(N, b);
    show("in turn", b, N);
    return 0;
}
