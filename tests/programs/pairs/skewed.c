// skewed: every row is written from the row before, one to the right.
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

static int a[N + 1][M], b[N + 1][M];

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

void kernel_skewed(void)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(+2 a[i + 1][j - 1], +2 a[i][j]), because row i + 1 is read by the next iteration
        for (int j = 1; j < M; j++) // loop: parallel
            a[i + 1][j - 1] = a[i][j] + 1;
}

int main(void)
{
    fill(&a[0][0], (N + 1) * M, 5);
    fill(&b[0][0], (N + 1) * M, 3);
    kernel_skewed();
    show("a", &a[0][0], (N + 1) * M);
    return 0;
}
