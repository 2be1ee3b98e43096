// stencil_walk: a five-point stencil, walking pointers.
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

void kernel_stencil(int n, int m, int *a, int *b)
{
    for (int i = 1; i < n - 1; i++) { // loop: parallel_if
        int *up = a + (i - 1) * m + 1;
        int *here = a + i * m + 1;
        int *down = a + (i + 1) * m + 1;
        int *out = b + i * m + 1;
        int left = m - 2;
        while (left-- > 0) { // loop: parallel_if // induction: every pointer moves by one
            *out++ = 2 * *here + *up++ - *down++ + 3 * here[-1] - here[1];
            here++;
        }
    }
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
    int *b = malloc(N * M * sizeof(int));
    int *block = malloc((2 * N - 2) * M * sizeof(int));
    if (!a || !b || !block)
        return 1;

    fill(a, N * M, 5);
    fill(b, N * M, 3);
    kernel_stencil(N, M, a, b);
    show("b", b, N * M);
    kernel_stencil(2, M, a, b);
    kernel_stencil(N, 2, a, b);
    kernel_stencil(1, 1, a, b);
    show("small", b, N * M);

    /* The last row of a is the second of b. */
    fill(block, (2 * N - 2) * M, 3);
    kernel_stencil(N, M, block, block + (N - 2) * M);
    show("block", block, (2 * N - 2) * M);

    free(a);
    free(b);
    free(block);
    return 0;
}
