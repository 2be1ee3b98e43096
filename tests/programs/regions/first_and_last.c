// FIRST AND LAST: which of several reads of a stencil is the first in memory, and which the last, shows only in products of sizes that are at least three.
// sizes: -DN=7 -DM=5 -DL=9
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 9
#endif
#ifndef M
#define M 7
#endif
#ifndef L
#define L 11
#endif

// Of the last plane all is read but for the last two rows.
#define USED (((N - 1) * M + M - 3) * L + L)

static void kernel_star(int n, int m, int l, const double *restrict in, double *restrict out)
{
    for (int i = 1; i < n - 1; i++) // loop: parallel
        for (int j = 1; j < m - 1; j++) // loop: parallel
            for (int k = 1; k < l - 1; k++) // loop: parallel
                out[(i * m + j) * l + k] = in[((i - 1) * m + j + 1) * l + k - 1] + 3 * in[(i * m + j - 1) * l + k + 1] +
                                           5 * in[((i + 1) * m + j - 1) * l + k + 1] - 2 * in[(i * m + j + 1) * l + k];
}

static void fill(double *a, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = (double)((i * step + i / 16) % 7 - 3);
}

static void show(const char *name, const double *a, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

int main(void)
{
    double *in = malloc(USED * sizeof(double));
    double *out = malloc(N * M * L * sizeof(double));
    if (!in || !out)
        return 1;

    fill(in, USED, 5);
    fill(out, N * M * L, 3);
    kernel_star(N, M, L, in, out);
    show("out", out, N * M * L);
    show("in", in, USED);

    // Nothing runs: nothing is touched.
    kernel_star(2, M, L, in, out);
    kernel_star(N, 1, L, in, out);
    show("again", out, N * M * L);

    free(out);
    free(in);
    return 0;
}
