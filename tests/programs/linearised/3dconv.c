// 3DCONV: a convolution of a linearised volume; the border of B is not written.
// sizes: -DNI=9 -DNJ=21 -DNK=13
// copies: 3
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NI
#define NI 13
#endif
#ifndef NJ
#define NJ 11
#endif
#ifndef NK
#define NK 17
#endif

void kernel_conv3d(float *A, float *B)
{
    const float c11 = 0.125f, c12 = 0.25f, c13 = -0.125f;
    const float c21 = 0.0625f, c22 = -0.0625f, c23 = 0.125f;
    const float c31 = -0.125f, c32 = 0.0625f, c33 = 0.0625f;

    for (int j = 1; j < NJ - 1; j++) { // loop: parallel_if
        for (int i = 1; i < NI - 1; i++) { // loop: parallel_if
            for (int k = 1; k < NK - 1; k++) { // loop: parallel_if
                B[i * (NK * NJ) + j * NK + k] = c11 * A[(i - 1) * (NK * NJ) + (j - 1) * NK + (k - 1)]
                    + c12 * A[i * (NK * NJ) + (j - 1) * NK + (k + 1)]
                    + c13 * A[(i + 1) * (NK * NJ) + (j - 1) * NK + (k - 1)]
                    + c21 * A[(i - 1) * (NK * NJ) + j * NK + (k + 1)]
                    + c22 * A[i * (NK * NJ) + j * NK + k]
                    + c23 * A[(i + 1) * (NK * NJ) + j * NK + (k - 1)]
                    + c31 * A[(i - 1) * (NK * NJ) + (j + 1) * NK + (k - 1)]
                    + c32 * A[i * (NK * NJ) + (j + 1) * NK + (k + 1)]
                    + c33 * A[(i + 1) * (NK * NJ) + (j + 1) * NK + (k + 1)];
            }
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
    float *A = malloc(NI * NJ * NK * sizeof(float));
    float *B = malloc(NI * NJ * NK * sizeof(float));
    if (!A || !B)
        return 1;

    fill(A, NI * NJ * NK, 5);
    fill(B, NI * NJ * NK, 3);
    kernel_conv3d(A, B);
    show("B", B, NI * NJ * NK);

    /* In place. */
    kernel_conv3d(A, A);
    show("A", A, NI * NJ * NK);

    free(A);
    free(B);
    return 0;
}
