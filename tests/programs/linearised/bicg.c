// BICG: s = transpose(A) r and q = A p, in three nests.
// sizes: -DNX=21 -DNY=53
// copies: 5
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NX
#define NX 37
#endif
#ifndef NY
#define NY 35
#endif

void kernel_bicg(float *A, float *r, float *s, float *p, float *q)
{
    for (int i = 0; i < NY; i++) // loop: parallel
        s[i] = 0.0f;

    for (int j = 0; j < NY; j++) { // loop: parallel_if
        for (int i = 0; i < NX; i++) // loop: parallel_if, reduction(+:s[j])
            s[j] = s[j] + r[i] * A[i * NY + j];
    }

    for (int i = 0; i < NX; i++) { // loop: parallel_if
        q[i] = 0.0f;
        for (int j = 0; j < NY; j++) // loop: parallel_if, reduction(+:q[i])
            q[i] = q[i] + A[i * NY + j] * p[j];
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
    float *A = malloc(NX * NY * sizeof(float));
    float *r = malloc(NX * sizeof(float));
    float *s = malloc(NY * sizeof(float));
    float *p = malloc(NY * sizeof(float));
    float *q = malloc(NX * sizeof(float));
    float *block = malloc((NX + NY - 1) * sizeof(float));
    if (!A || !r || !s || !p || !q || !block)
        return 1;

    fill(A, NX * NY, 5);
    fill(r, NX, 3);
    fill(s, NY, 1);
    fill(p, NY, 2);
    fill(q, NX, 4);
    kernel_bicg(A, r, s, p, q);
    show("s", s, NY);
    show("q", q, NX);

    /* The last element of p is the first of q. */
    fill(block, NX + NY - 1, 3);
    kernel_bicg(A, r, s, block, block + NY - 1);
    show("block", block, NX + NY - 1);

    /* The last element of r is the first of s. */
    fill(block, NX + NY - 1, 2);
    kernel_bicg(A, block, block + NX - 1, p, q);
    show("block", block, NX + NY - 1);

    free(A);
    free(r);
    free(s);
    free(p);
    free(q);
    free(block);
    return 0;
}
