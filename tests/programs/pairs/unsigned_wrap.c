// unsigned_wrap: a histogram by a subscript in an unsigned char, which wraps at 256.
// sizes: -DN=513
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 301
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

void kernel_wrap(void)
{
    for (int i = 0; i < N; i++) { // loop: sequential, pair(+2 a[k], +2 a[k]), because k wraps: iterations i and i + 256 use one element
        unsigned char k = i;
        a[k] = a[k] * 2 + b[i];
    }
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    kernel_wrap();
    show("a", a, N);
    return 0;
}
