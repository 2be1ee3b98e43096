// complex_as_reals: arrays of complex numbers that the same loops also see as arrays of their parts, without complex.h.
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 47
#endif

/* The first part of the next number is read through the other type. */
void kernel_shifted(int n, double _Complex *z)
{
    double *parts = (double *)z;
    for (int i = 0; i + 1 < n; i++) // loop: sequential, pair(+1 z[i], +1 parts[2 * i + 2]), because the next iteration writes parts[2 * i + 2]
        z[i] = z[i] + parts[2 * i + 2];
}

/* Only its own parts: each iteration stays in its number. */
void kernel_own(int n, double _Complex *z)
{
    double *parts = (double *)z;
    for (int i = 0; i < n; i++) { // loop: parallel
        z[i] = -z[i];
        parts[2 * i + 1] += 3;
    }
}

/* The imaginary parts alone. */
void kernel_imaginary(int n, double _Complex *z)
{
    double *parts = (double *)z;
    for (int i = 0; i < n; i++) // loop: parallel
        parts[2 * i + 1] -= i;
}

/* Another array, or the same: the caller says. */
void kernel_apart(int n, double _Complex *z, const double *reals)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        z[i] = z[i] + reals[i];
}

/* A product of complex numbers is a call, which a device has only with complex.h. */
void kernel_product(int n, double _Complex *z)
{
    for (int i = 0; i < n; i++) // loop: parallel
        z[i] = z[i] * (2 + 1.0i);
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
    double _Complex *z = malloc(N * sizeof *z);
    double *reals = malloc(N * sizeof *reals);
    if (!z || !reals)
        return 1;
    for (int i = 0; i < N; i++) { // loop: parallel
        z[i] = i + i % 3 * 1.0i;
        reals[i] = i % 5;
    }
    kernel_shifted(N, z);
    kernel_own(N, z);
    kernel_imaginary(N, z);
    kernel_apart(N, z, reals);
    kernel_apart(N / 3, z, (double *)z);
    printf("%ld\n", checksum((double *)z, 2 * N));
    kernel_product(N, z);
    printf("%ld\n", checksum((double *)z, 2 * N));
    free(z);
    free(reals);
    return 0;
}
