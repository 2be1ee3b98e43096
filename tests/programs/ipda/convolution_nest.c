// convolution_nest: one element of a linearised volume for each inner point, the loops in another order than the subscripts (figure 6 of IPDA).
// sizes: -DNI=17 -DNJ=7 -DNK=9
// not: reversed
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NI
#define NI 7
#endif
#ifndef NJ
#define NJ 13
#endif
#ifndef NK
#define NK 11
#endif

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

void kernel_volume(int ni, int nj, int nk, const int *restrict a, int *restrict b)
{
    for (int j = 1; j < nj - 1; ++j) // loop: parallel
        for (int i = 1; i < ni - 1; ++i) // loop: parallel
            for (int k = 1; k < nk - 1; ++k) // loop: parallel
                b[i * (nk * nj) + j * nk + k] = 2 * a[(i - 1) * (nk * nj) + j * nk + (k + 1)]
                    - 3 * a[i * (nk * nj) + (j - 1) * nk + k] + a[(i + 1) * (nk * nj) + (j + 1) * nk + (k - 1)];
}

/* The same after loops were counted from zero and copies were propagated into some places. */
void kernel_counted(int ni, int nj, int nk, const int *restrict a, int *restrict b)
{
    for (int cj = 0; cj < nj - 2; ++cj) { // loop: parallel
        int j = cj + 1;
        for (int ci = 0; ci < ni - 2; ++ci) { // loop: parallel
            int i = ci + 1;
            for (int ck = 0; ck < nk - 2; ++ck) // loop: parallel
                b[i * (nk * nj) + j * nk + (ck + 1)] = 5 * a[i * (nk * nj) + (cj + 1) * nk + (ck + 2)] - j + i;
        }
    }
}

int main(void)
{
    int size = NI * NJ * NK;
    int *a = malloc((size_t)size * sizeof(int));
    int *b = malloc((size_t)size * sizeof(int));
    if (!a || !b)
        return 1;
    fill(a, size, 5);
    fill(b, size, 3);
    kernel_volume(NI, NJ, NK, a, b);
    show("volume", b, size);
    kernel_counted(NI, NJ, NK, a, b);
    show("counted", b, size);
    kernel_volume(3, 3, 3, a, b);
    show("one point", b, size);
    kernel_volume(2, NJ, NK, a, b);
    show("no point", b, size);
    free(a);
    free(b);
    return 0;
}
