// triangle: the rows of a packed triangle, one element too close.
// sizes: -DN=21
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N * (N + 1) / 2];

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

void kernel_triangle(void)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(+2 a[i * (i - 1) / 2 + j], +2 a[i * (i - 1) / 2 + j]), because the last element of a row is the first of the next
        for (int j = 0; j <= i; j++) // loop: parallel
            a[i * (i - 1) / 2 + j] = i * 100 + j;
}

int main(void)
{
    fill(a, N * (N + 1) / 2, 5);
    kernel_triangle();
    show("a", a, N * (N + 1) / 2);
    return 0;
}
