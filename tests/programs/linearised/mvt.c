// MVT: x1 += A y1 and x2 += transpose(A) y2.
// sizes: -DN=53
// copies: 7
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

void kernel_mvt(float *A, float *x1, float *x2, float *y1, float *y2)
{
    for (int i = 0; i < N; i++) { // loop: parallel_if
        for (int j = 0; j < N; j++) // loop: parallel_if, reduction(+:x1[i])
            x1[i] = x1[i] + A[i * N + j] * y1[j];
    }

    for (int i = 0; i < N; i++) { // loop: parallel_if
        for (int j = 0; j < N; j++) // loop: parallel_if, reduction(+:x2[i])
            x2[i] = x2[i] + A[j * N + i] * y2[j];
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
    float *A = malloc(N * N * sizeof(float));
    float *x1 = malloc(N * sizeof(float));
    float *x2 = malloc(N * sizeof(float));
    float *y1 = malloc(N * sizeof(float));
    float *y2 = malloc(N * sizeof(float));
    float *block = malloc((2 * N - 1) * sizeof(float));
    if (!A || !x1 || !x2 || !y1 || !y2 || !block)
        return 1;

    fill(A, N * N, 5);
    fill(x1, N, 3);
    fill(x2, N, 1);
    fill(y1, N, 2);
    fill(y2, N, 4);
    kernel_mvt(A, x1, x2, y1, y2);
    show("x1", x1, N);
    show("x2", x2, N);

    /* The last element of y1 is the first of x1. */
    fill(block, 2 * N - 1, 3);
    kernel_mvt(A, block + N - 1, x2, block, y2);
    show("block", block, 2 * N - 1);
    show("x2", x2, N);

    free(A);
    free(x1);
    free(x2);
    free(y1);
    free(y2);
    free(block);
    return 0;
}
