// wrong_diagonal_twin: a wave front whose element depends on the previous diagonal.
// sizes: -DN=21
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N][N];

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

void kernel_wave(void)
{
    for (int d = 1; d < N; d++) // loop: sequential, pair(+2 a[i][d - i], +2 a[i][d - i - 1]), because every diagonal needs the one before
        for (int i = 1; i < d; i++) // loop: parallel
            a[i][d - i] = (a[i][d - i - 1] - a[i - 1][d - i + 0]) % 1000;
}

int main(void)
{
    fill(&a[0][0], N * N, 5);
    kernel_wave();
    show("a", &a[0][0], N * N);
    return 0;
}
