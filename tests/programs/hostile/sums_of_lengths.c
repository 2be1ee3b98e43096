// sums_of_lengths: loops up to sums of lengths of which nothing is known: sections as long as those sums, which leave their type where the loops do.
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 37
#endif
#ifndef M
#define M 11
#endif

void kernel_clear(int n, int m, double *z)
{
    for (int i = 0; i < n + m - 1; i++) // loop: parallel
        z[i] = 0;
}

void kernel_product(int n, int m, double *restrict z, const double *restrict x, const double *restrict y)
{
    for (int j = 0; j < n; j++) // loop: parallel, atomic(+:z)
        for (int i = 0; i < m; i++) // loop: parallel
            z[i + j] += x[i] * y[j];
}

void kernel_joined(long n, long m, double *restrict z, const double *restrict x)
{
    for (long i = 0; i < n + m; i++) // loop: parallel
        z[i] = z[i] + x[i];
    for (long i = 0; i < n + m - 2; i++) // loop: parallel
        z[i] = 2 * z[i];
}

void kernel_between(int n, int m, int k, double *z)
{
    for (int i = 0; i < n + m - k; i++) // loop: parallel
        z[i] += i;
}

static long checksum(const double *v, int n)
{
    long h = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:h)
        h += (long)(v[i] * 4096) * (2L * i + 1);
    return h;
}

int main(void)
{
    double *z = malloc((N + M) * sizeof *z), *x = malloc((N + M) * sizeof *x);
    if (!z || !x)
        return 1;
    for (int i = 0; i < N + M; i++) { // loop: parallel
        z[i] = i % 4;
        x[i] = i % 7;
    }
    kernel_clear(N, M, z);
    kernel_product(N, M, z, x, x + M);
    kernel_product(N, M, z, x, x + 1);
    printf("%ld\n", checksum(z, N + M));
    kernel_joined(N, M, z, x);
    kernel_joined(-N, M, z, x);
    kernel_between(N, M, 5, z);
    kernel_between(-N, -M, 5, z);
    printf("%ld %g\n", checksum(z, N + M), z[N + M - 1]);
    free(z);
    free(x);
    return 0;
}
