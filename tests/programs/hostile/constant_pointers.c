// constant_pointers: constant pointers to variables of the file, whose addresses a compiler puts into kernels that do not have them; and some to others.
// sizes: -DN=83
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 57
#endif

static double x[N];
static const int four = 4;

void kernel_set(int n)
{
    double *const q = x;
    for (int i = 0; i < n; i++) // loop: parallel
        q[i] = i;
}

void kernel_shifted(int n, double *const restrict y)
{
    double *const q = x + four;
    for (int i = 0; i < n - 4; i++) // loop: parallel
        y[i] += q[i];
}

void kernel_inside(int n, double *restrict y)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        const double *const q = x;
        y[i] += 2 * q[i];
    }
}

static double look(int i)
{
    const double *const q = x;
    return q[i];
}

void kernel_called(int n, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: parallel
        y[i] += 3 * look(i);
}

/* Kernels: the address is not known before the program runs, or it is read. */
void kernel_own(int n, double *restrict y)
{
    double w[N];
    double *const q = w;
    for (int i = 0; i < n; i++) // loop: parallel
        q[i] = 2 * i;
    for (int i = 0; i < n; i++) // loop: parallel
        y[i] += q[i];
}

void kernel_read(int n, double *restrict y)
{
    double *q = x;
    for (int i = 0; i < n; i++) // loop: parallel
        y[i] += 5 * q[i];
}

int main(void)
{
    double *y = calloc(N, sizeof *y);
    kernel_set(N);
    kernel_shifted(N, y);
    kernel_inside(N, y);
    kernel_called(N, y);
    kernel_own(N, y);
    kernel_read(N, y);
    double sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += y[i] * (2 * i + 1);
    printf("%g %g %g\n", sum, y[3], y[N - 1]);
    free(y);
    return 0;
}
