// narrowing_reductions: sums and greatest values through conversions that change what is added or compared.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int v[N];
static unsigned u[N];
static float halves[N];

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

int kernel_halves(int s)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(+1 s += halves[i], +1 s), because every sum is cut to an integer
        s += halves[i];
    return s;
}

int kernel_bytes(int t)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(+1 t = (signed char)(t + v[i]), +1 t), because every sum is cut to a byte
        t = (signed char)(t + v[i]);
    return t;
}

int kernel_greatest_byte(void)
{
    unsigned char m = 0;
    for (int i = 0; i < N; i++) // loop: sequential, pair(+2 m = (unsigned char)v[i], +1 m), because what is stored is not what was compared
        if (v[i] > m)
            m = (unsigned char)v[i];
    return m;
}

int kernel_greatest_unsigned(int x)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(+2 x = (int)u[i], +1 x), because x is compared as if it had no sign
        if (u[i] > (unsigned)x)
            x = (int)u[i];
    return x;
}

int kernel_product(int p)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(+1 p = (int)(p * 0.75), +1 p), because every product is cut to an integer
        p = (int)(p * 0.75);
    return p;
}

int kernel_flag(void)
{
    _Bool b = 0;
    for (int i = 0; i < N; i++) // loop: sequential, pair(+1 b = b - 1, +1 b), because the difference is 0 or 1
        b = b - 1;
    return b;
}

int main(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        v[i] = i * 37 % 1000;
        u[i] = (unsigned)(i % 9);
        halves[i] = 0.5f;
    }
    show("v", v, N);
    printf("%d %d %d\n", kernel_halves(-1), kernel_bytes(1000), kernel_greatest_byte());
    printf("%d %d %d\n", kernel_greatest_unsigned(-1), kernel_product(4096), kernel_flag());
    printf("%d\n", kernel_greatest_unsigned(3));
    return 0;
}
