// type_generic: functions that tgmath.h chooses by the type of what they are given.
// sizes: -DN=91
// libraries: m
#include <stdio.h>
#include <stdlib.h>
#include <tgmath.h>

#ifndef N
#define N 49
#endif

void kernel_double(int n, double *restrict x, const int *restrict k)
{
    for (int i = 0; i < n; i++) // loop: parallel
        x[i] = floor(k[i] / 2.0) + fabs(x[i] - 7);
}

void kernel_float(int n, float *restrict y, const int *restrict k)
{
    for (int i = 0; i < n; i++) // loop: parallel
        y[i] = ceil(k[i] / 4.0f) + fabs(y[i] - 3);
}

void kernel_both(int n, double *restrict x, const float *restrict y)
{
    for (int i = 0; i < n; i++) // loop: parallel
        x[i] = fmax(x[i], (double)y[i]) + trunc(y[i]);
}

int main(void)
{
    double *x = malloc(N * sizeof *x);
    float *y = malloc(N * sizeof *y);
    int *k = malloc(N * sizeof *k);
    for (int i = 0; i < N; i++) { // loop: parallel
        k[i] = i * 7 % 23;
        x[i] = i % 5;
        y[i] = i % 9;
    }
    kernel_double(N, x, k);
    kernel_float(N, y, k);
    kernel_both(N, x, y);
    double sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += x[i] * (2 * i + 1) + y[i];
    printf("%g %g %g\n", sum, x[3], x[N - 1]);
    free(x);
    free(y);
    free(k);
    return 0;
}
