// ATAX: y = transpose(A) (A x) through tmp, in three nests.
// sizes: -DNX=21 -DNY=53
// copies: 4
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

void kernel_atax(float *A, float *x, float *y, float *tmp)
{
    for (int i = 0; i < NY; i++) // loop: parallel
        y[i] = 0.0f;

    for (int i = 0; i < NX; i++) { // loop: parallel_if
        tmp[i] = 0.0f;
        for (int j = 0; j < NY; j++) // loop: parallel_if, reduction(+:tmp[i])
            tmp[i] = tmp[i] + A[i * NY + j] * x[j];
    }

    for (int j = 0; j < NY; j++) { // loop: parallel_if
        for (int i = 0; i < NX; i++) // loop: parallel_if, reduction(+:y[j])
            y[j] = y[j] + A[i * NY + j] * tmp[i];
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
    float *x = malloc(NY * sizeof(float));
    float *y = malloc(NY * sizeof(float));
    float *tmp = malloc(NX * sizeof(float));
    float *block = malloc((NX + NY - 1) * sizeof(float));
    if (!A || !x || !y || !tmp || !block)
        return 1;

    fill(A, NX * NY, 5);
    fill(x, NY, 3);
    fill(y, NY, 1);
    fill(tmp, NX, 2);
    kernel_atax(A, x, y, tmp);
    show("y", y, NY);
    show("tmp", tmp, NX);

    /* The last element of x is the first of tmp. */
    fill(block, NX + NY - 1, 3);
    kernel_atax(A, block, y, block + NY - 1);
    show("block", block, NX + NY - 1);
    show("y", y, NY);

    free(A);
    free(x);
    free(y);
    free(tmp);
    free(block);
    return 0;
}
