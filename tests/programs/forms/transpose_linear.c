// transpose_linear: a transposed copy, linear subscripts.
// sizes: -DN=21 -DM=53
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 35
#endif
#ifndef M
#define M 37
#endif

void kernel_transpose(int n, int m, int *a, int *b)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            b[j * n + i] = a[i * m + j] * 2;
}

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

int main(void)
{
    int *a = malloc(N * M * sizeof(int));
    int *b = malloc(M * N * sizeof(int));
    if (!a || !b)
        return 1;

    fill(a, N * M, 5);
    fill(b, M * N, 3);
    kernel_transpose(N, M, a, b);
    show("b", b, M * N);

    /* In place, which is no transposition. */
    kernel_transpose(N, M, a, a);
    show("a", a, N * M);

    free(a);
    free(b);
    return 0;
}
