// collapsed_product: a matrix product whose two outer loops are one, with subscripts by division (figure 8 of IPDA, with its divisor and the right one).
// sizes: -DNI=9 -DNJ=23 -DNK=5
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

void kernel_nest(int ni, int nj, int nk, const int *restrict a, const int *restrict b, int *restrict c)
{
    for (int i = 0; i < ni; i++) // loop: parallel
        for (int j = 0; j < nj; j++) { // loop: parallel
            c[i * nj + j] *= 3;
            for (int k = 0; k < nk; ++k) // loop: parallel, reduction(+:c[i * nj + j])
                c[i * nj + j] += 2 * a[i * nk + k] * b[k * nj + j];
        }
}

void kernel_collapsed(int ni, int nj, int nk, const int *restrict a, const int *restrict b, int *restrict c)
{
    for (int e = 0; e < ni * nj; e++) { // loop: parallel
        int i = e / nj;
        int j = e % nj;
        c[i * nj + j] *= 3;
        for (int k = 0; k < nk; ++k) // loop: parallel, reduction(+:c[i * nj + j])
            c[i * nj + j] += 2 * a[i * nk + k] * b[k * nj + j];
    }
}

/* The paper's divisor: with more rows than columns several numbers e lead to one element. */
void kernel_wrong(int ni, int nj, int *c)
{
    for (int e = 0; e < ni * nj; e++) { // loop: unknown, pair(+3 c[i * nj + j], +3 c[i * nj + j]) // stronger: parallel_if, ni <= nj
        int i = e / ni;
        int j = e % ni;
        c[i * nj + j] = 3 * c[i * nj + j] + e;
    }
}

int main(void)
{
    int size = (NI + NJ) * (NI + NJ);
    int *a = malloc((size_t)(NI * NK) * sizeof(int));
    int *b = malloc((size_t)(NK * NJ) * sizeof(int));
    int *c = malloc((size_t)size * sizeof(int));
    if (!a || !b || !c)
        return 1;
    fill(a, NI * NK, 5);
    fill(b, NK * NJ, 3);
    fill(c, size, 7);
    kernel_nest(NI, NJ, NK, a, b, c);
    show("nest", c, size);
    /* Both factors in the same storage. */
    int least = NI < NJ ? NI : NJ;
    kernel_nest(least, least, NK, a, a, c);
    show("square", c, size);
    kernel_collapsed(NI, NJ, NK, a, b, c);
    show("collapsed", c, size);
    fill(c, size, 7);
    kernel_wrong(NI, NJ, c);
    show("more columns", c, size);
    kernel_wrong(NJ, NI, c);
    show("more rows", c, size);
    free(a);
    free(b);
    free(c);
    return 0;
}
