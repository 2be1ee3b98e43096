// SYMM: C = alpha A B + beta C, where A is symmetric and only its lower triangle is stored; heap arrays.
// sizes: -DM=13 -DN=37
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef M
#define M 25
#endif
#ifndef N
#define N 17
#endif
#define DATA double

static void kernel_symm(DATA alpha, DATA beta, DATA (*C)[N], DATA (*A)[M], DATA (*B)[N])
{
    DATA inner;

    for (int i = 0; i < M; i++) { // loop: sequential, pair(+4 C[k][j], +7 C[i][j]), because row i adds to the rows of C before it
        for (int j = 0; j < N; j++) { // loop: parallel, private(inner)
            inner = 0;
            for (int k = 0; k < i; k++) { // loop: parallel, reduction(+:inner)
                C[k][j] += alpha * B[i][j] * A[i][k];
                inner += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * inner;
        }
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
    DATA(*A)[M] = malloc(sizeof(DATA[M][M]));
    DATA(*B)[N] = malloc(sizeof(DATA[M][N]));
    DATA(*C)[N] = malloc(sizeof(DATA[M][N]));
    if (!A || !B || !C)
        return 1;

    fill2(M, M, A, 2);
    fill2(M, N, B, 4);
    fill2(M, N, C, 5);
    kernel_symm(1.5, 2, C, A, B);
    show2("C", M, N, C);

    free(A);
    free(B);
    free(C);
    return 0;
}
