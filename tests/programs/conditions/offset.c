// offset: what is read lies some elements away from what is written: far enough, or not.
// sizes: -DN=101 -DM=12
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef M
#define M 7
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

void kernel_halves(int n, int half, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel_if // half == 0 or half >= n or half <= -n
        a[i] += a[i + half];
}

void kernel_row(int n, int from, int to, int *a)
{
    for (int j = 0; j < n; j++) // loop: parallel_if // from == to, or the rows are apart
        a[to + j] = a[from + j] - a[to + j];
}

void kernel_shift(int n, int m, int down, int right, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            a[(i + down) * m + j + right] = a[i * m + j] + 1;
}

void kernel_pairs(int n, int stride, int *a)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if // stride >= 2
        a[i * stride] = a[i * stride] / 2 + i;
        a[i * stride + 1] = a[i * stride + 1] / 3 - i;
    }
}

/* A block for each i, of a fixed length. */
void kernel_blocks(int n, int block, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel_if // block >= M
        for (int j = 0; j < M; j++) // loop: parallel
            a[i * block + j] = a[i * block + j] + i * j;
}

int main(void)
{
    int size = 4 * N * M;
    int *a = malloc((size_t)size * sizeof(int));
    if (!a)
        return 1;
    fill(a, size, 5);
    kernel_halves(N, N, a);
    show("apart", a, size);
    kernel_halves(N, -N, a + N);
    show("before", a, size);
    kernel_halves(N, 0, a);
    show("the same", a, size);
    kernel_halves(N, -1, a + 1);
    show("one back", a, size);
    kernel_halves(N, N - 1, a);
    show("one too near", a, size);
    kernel_row(M, 0, 3 * M, a);
    show("rows", a, size);
    kernel_row(M, 2 * M, 2 * M, a);
    show("one row", a, size);
    kernel_row(M, 2, 0, a);
    show("rows overlap", a, size);
    kernel_shift(N, M, N, 0, a);
    show("below", a, size);
    kernel_shift(N, M, 0, 1, a);
    show("right", a, size);
    kernel_shift(N, M, 1, -1, a);
    show("diagonal", a, size);
    kernel_pairs(N, 2, a);
    show("pairs", a, size);
    kernel_pairs(N, 1, a);
    show("pairs overlap", a, size);
    kernel_pairs(N, 0, a);
    show("one pair", a, size);
    kernel_blocks(N, M + 1, a);
    show("blocks", a, size);
    kernel_blocks(N, M - 1, a);
    show("blocks overlap", a, size);
    free(a);
    return 0;
}
