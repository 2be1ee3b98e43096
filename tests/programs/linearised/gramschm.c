// GRAMSCHM: A = Q R by the modified Gram-Schmidt process; only the upper triangle of R is written.
// sizes: -DM=16 -DN=13
// copies: 5
// libraries: m
// variants: long split
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A is the product of a matrix of ones and minus ones with orthogonal columns and an integer triangle whose diagonal holds
   powers of two. With M a power of four and N below M every norm is a power of two, and everything is exact. */
#ifndef M
#define M 64
#endif
#ifndef N
#define N 37
#endif

void kernel_gramschmidt(float *A, float *R, float *Q)
{
    for (int k = 0; k < N; k++) { // loop: sequential, pair(+14 A[i * N + j], +3 A[i * N + k]), because column k depends on the columns before it
        float nrm = 0.0f;
        for (int i = 0; i < M; i++) // loop: parallel, reduction(+:nrm)
            nrm += A[i * N + k] * A[i * N + k];

        R[k * N + k] = sqrtf(nrm);
        for (int i = 0; i < M; i++) // loop: parallel_if
            Q[i * N + k] = A[i * N + k] / R[k * N + k];

        for (int j = k + 1; j < N; j++) { // loop: parallel_if
            R[k * N + j] = 0.0f;
            for (int i = 0; i < M; i++) // loop: parallel_if, reduction(+:R[k * N + j])
                R[k * N + j] += Q[i * N + k] * A[i * N + j];
            for (int i = 0; i < M; i++) // loop: parallel_if
                A[i * N + j] = A[i * N + j] - Q[i * N + k] * R[k * N + j];
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

static int sign(int i, int k)
{
    int bits = i & (k + 1);
    bits ^= bits >> 4;
    bits ^= bits >> 2;
    bits ^= bits >> 1;
    return bits & 1 ? -1 : 1;
}

static void matrix(float *A)
{
    for (int i = 0; i < M; i++) { // loop: parallel
        for (int j = 0; j < N; j++) { // loop: parallel
            int sum = sign(i, j) * (j % 3 ? 2 : 1);
            for (int k = 0; k < j; k++) // loop: parallel, reduction(+:sum)
                sum += sign(i, k) * ((k * 2 + j) % 3 - 1);
            A[i * N + j] = (float)sum;
        }
    }
}

int main(void)
{
    float *A = malloc(M * N * sizeof(float));
    float *R = malloc(N * N * sizeof(float));
    float *Q = malloc(M * N * sizeof(float));
    float *block = malloc((M + N - 1) * N * sizeof(float));
    if (!A || !R || !Q || !block)
        return 1;

    matrix(A);
    fill(R, N * N, 5);
    fill(Q, M * N, 3);
    kernel_gramschmidt(A, R, Q);
    show("A", A, M * N);
    show("R", R, N * N);
    show("Q", Q, M * N);

    /* In place: Q takes the place of A. */
    matrix(A);
    kernel_gramschmidt(A, R, A);
    show("Q in A", A, M * N);
    show("R", R, N * N);

    /* The last row of Q is the first of R. */
    matrix(A);
    fill(block, (M + N - 1) * N, 3);
    kernel_gramschmidt(A, block + (M - 1) * N, block);
    show("A", A, M * N);
    show("block", block, (M + N - 1) * N);

    free(A);
    free(R);
    free(Q);
    free(block);
    return 0;
}
