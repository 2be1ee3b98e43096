// byte_view: the bytes of the array that is written.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
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

void kernel_bytes(void)
{
    const unsigned char *bytes = (const unsigned char *)a;
    for (int i = 0; i < N; i++) // loop: sequential, pair(+1 a[i], +1 bytes[i]), because bytes[i] lies in a[i / 4]
        a[i] = bytes[i] + i;
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    kernel_bytes();
    show("a", a, N);
    return 0;
}
