// Shows: NAS FT's evolve maps with alloc, and everything is present when it is called.
#include <stdio.h>

enum { D1 = 8, D2 = 6, D3 = 4, PITCH = D1 + 1, SIZE = PITCH * D2 * D3 };

static double u0_real[SIZE], u0_imag[SIZE], u1_real[SIZE], u1_imag[SIZE], twiddle[SIZE];

static void evolve(int d1, int d2, int d3)
{
    #pragma omp target map(alloc: u0_real, u0_imag, u1_real, u1_imag, twiddle)
    #pragma omp teams distribute
    for (int k = 0; k < d3; k++) {
        #pragma omp parallel for
        for (int j = 0; j < d2; j++)
            for (int i = 0; i < d1; i++) {
                int at = (k * d2 + j) * (d1 + 1) + i;
                double factor = twiddle[at];
                u0_real[at] = factor * u0_real[at];
                u0_imag[at] = factor * u0_imag[at];
                u1_real[at] = u0_real[at];
                u1_imag[at] = u0_imag[at];
            }
    }
}

int main(void)
{
    double real = 0, imag = 0;
    for (int k = 0; k < SIZE; k++) {
        u0_real[k] = k % 5;
        u0_imag[k] = k % 3;
        twiddle[k] = 1 + k % 2;
    }
    #pragma omp target data map(tofrom: u0_real, u0_imag, u1_real, u1_imag) map(to: twiddle)
    for (int step = 0; step < 3; step++)
        evolve(D1, D2, D3);
    for (int k = 0; k < SIZE; k++) {
        real += u1_real[k];
        imag += u1_imag[k];
    }
    printf("%g %g\n", real, imag);
    return 0;
}
