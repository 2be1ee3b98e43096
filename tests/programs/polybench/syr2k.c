// SYR2K: C = A B^T + B A^T + beta C, the lower triangle; variable-length array parameters and a call with A twice.
// sizes: -DM=13 -DN=37
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef M
#define M 21
#endif
#ifndef N
#define N 25
#endif
#define DATA float

/* A and B may be one array: neither is written. */
static void kernel_syr2k(int n, int m, DATA alpha, DATA beta, DATA C[n][n], DATA A[n][m], DATA B[n][m])
{
    for (int i = 0; i < n; i++) { // loop: parallel
        for (int j = 0; j <= i; j++) // loop: parallel
            C[i][j] *= beta;
        for (int k = 0; k < m; k++) // loop: parallel, section(+:C)
            for (int j = 0; j <= i; j++) // loop: parallel
                C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
    }
}

static void fill2(int n, int m, DATA a[n][m], int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            a[i][j] = (DATA)((i * step + j * 3 + i / 8) % 7 - 3);
}

static void show2(const char *name, int n, int m, DATA a[n][m])
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        for (int j = 0; j < m; j++) // loop: parallel, reduction(+:sum)
            sum += (uint64_t)(int64_t)(a[i][j] * 4096.0) * (uint64_t)(2 * (i * m + j) + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0][0], a[n / 2][m / 3], a[n - 1][m - 1]);
}

int main(void)
{
    DATA(*A)[M] = malloc(N * sizeof *A);
    DATA(*B)[M] = malloc(N * sizeof *B);
    DATA(*C)[N] = malloc(N * sizeof *C);
    if (!A || !B || !C)
        return 1;

    fill2(N, M, A, 2);
    fill2(N, M, B, 4);
    fill2(N, N, C, 5);
    kernel_syr2k(N, M, 1.5f, 2, C, A, B);
    show2("C", N, N, C);
    kernel_syr2k(N, M, -1, 0.5f, C, A, A);
    show2("C", N, N, C);

    free(A);
    free(B);
    free(C);
    return 0;
}
