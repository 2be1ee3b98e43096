// GESUMMV: y = alpha A x + beta B x.
// sizes: -DN=53
// copies: 5
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

void kernel_gesummv(float alpha, float beta, float *A, float *B, float *x, float *y, float *tmp)
{
    for (int i = 0; i < N; i++) { // loop: parallel_if
        tmp[i] = 0.0f;
        y[i] = 0.0f;
        for (int j = 0; j < N; j++) { // loop: parallel_if, reduction(+:tmp[i]), reduction(+:y[i])
            tmp[i] = A[i * N + j] * x[j] + tmp[i];
            y[i] = B[i * N + j] * x[j] + y[i];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
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
    float *B = malloc(N * N * sizeof(float));
    float *x = malloc(N * sizeof(float));
    float *y = malloc(N * sizeof(float));
    float *tmp = malloc(N * sizeof(float));
    float *block = malloc((2 * N - 1) * sizeof(float));
    if (!A || !B || !x || !y || !tmp || !block)
        return 1;

    fill(A, N * N, 5);
    fill(B, N * N, 3);
    fill(x, N, 2);
    fill(y, N, 1);
    fill(tmp, N, 4);
    kernel_gesummv(3.0f, 2.0f, A, B, x, y, tmp);
    show("y", y, N);
    show("tmp", tmp, N);

    /* The last element of x is the first of y. */
    fill(block, 2 * N - 1, 3);
    kernel_gesummv(3.0f, 2.0f, A, B, block, block + N - 1, tmp);
    show("block", block, 2 * N - 1);
    show("tmp", tmp, N);

    /* One array for both results. */
    kernel_gesummv(3.0f, 2.0f, A, B, x, y, y);
    show("y", y, N);

    free(A);
    free(B);
    free(x);
    free(y);
    free(tmp);
    free(block);
    return 0;
}
