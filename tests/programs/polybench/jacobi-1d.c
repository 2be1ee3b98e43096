// JACOBI-1D: the mean of three neighbours, there and back; arrays of main and restrict parameters.
// sizes: -DN=101 -DTSTEPS=2
// variants: long split
#include <stdint.h>
#include <stdio.h>

/* Whole numbers: a mean is rounded towards zero. */
#ifndef N
#define N 53
#endif
#ifndef TSTEPS
#define TSTEPS 5
#endif
#define DATA int

void kernel_jacobi_1d(int steps, int n, DATA *restrict A, DATA *restrict B)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 B[i], +2 B[i]), because every step uses the values of the step before
        for (int i = 1; i < n - 1; i++) // loop: parallel
            B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3; // read A[0 .. n-1], write B[1 .. n-2]
        for (int i = 1; i < n - 1; i++) // loop: parallel
            A[i] = (B[i - 1] + B[i] + B[i + 1]) / 3;
    }
}

static void show1(const char *name, int n, const DATA *a)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

int main(void)
{
    DATA A[N], B[N];

    for (int i = 0; i < N; i++) { // loop: parallel
        A[i] = i * 37 % 101 - 50;
        B[i] = i * 23 % 97 - 40;
    }
    kernel_jacobi_1d(TSTEPS, N, A, B);
    show1("A", N, A);
    show1("B", N, B);
    return 0;
}
