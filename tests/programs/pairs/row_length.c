// row_length: rows of a linear matrix that are one element too long.
// sizes: -DN=21 -DM=53
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 35
#endif
#ifndef M
#define M 37
#endif

static int a[N * M + 1];

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

void kernel_rows(void)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(+2 a[i * M + j], +2 a[i * M + j]), because a[(i + 1) * M] is written by two iterations
        for (int j = 0; j <= M; j++) // loop: parallel
            a[i * M + j] = i * 100 + j;
}

int main(void)
{
    fill(a, N * M + 1, 5);
    kernel_rows();
    show("a", a, N * M + 1);
    return 0;
}
