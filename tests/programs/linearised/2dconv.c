// 2DCONV: a three by three convolution of a linearised matrix; the border of B is not written.
// sizes: -DNI=53 -DNJ=21
// copies: 3
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NI
#define NI 35
#endif
#ifndef NJ
#define NJ 37
#endif

void kernel_conv2d(float *A, float *B)
{
    /* Powers of two whose sizes add up to one. */
    const float c11 = 0.125f, c12 = -0.0625f, c13 = 0.25f;
    const float c21 = -0.125f, c22 = 0.0625f, c23 = 0.125f;
    const float c31 = 0.0625f, c32 = -0.125f, c33 = 0.0625f;

    for (int i = 1; i < NI - 1; i++) { // loop: parallel_if
        for (int j = 1; j < NJ - 1; j++) { // loop: parallel_if
            B[i * NJ + j] = c11 * A[(i - 1) * NJ + (j - 1)] + c12 * A[i * NJ + (j - 1)] + c13 * A[(i + 1) * NJ + (j - 1)]
                + c21 * A[(i - 1) * NJ + j] + c22 * A[i * NJ + j] + c23 * A[(i + 1) * NJ + j]
                + c31 * A[(i - 1) * NJ + (j + 1)] + c32 * A[i * NJ + (j + 1)] + c33 * A[(i + 1) * NJ + (j + 1)]; // read A[0 .. NI*NJ-1], write B[NJ+1 .. (NI-1)*NJ-2]
        }
    }
}

static void fill(float *a, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = (float)((i * step + i / 16) % 7 - 3);
}

static void show(const char *name, const float *a, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

int main(void)
{
    float *A = malloc(NI * NJ * sizeof(float));
    float *B = malloc(NI * NJ * sizeof(float));
    if (!A || !B)
        return 1;

    fill(A, NI * NJ, 5);
    fill(B, NI * NJ, 3);
    kernel_conv2d(A, B);
    show("B", B, NI * NJ);

    /* In place. */
    kernel_conv2d(A, A);
    show("A", A, NI * NJ);

    free(A);
    free(B);
    return 0;
}
