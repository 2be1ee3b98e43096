// HEAT-3D: a seven-point stencil in three dimensions, there and back; variable-length array parameters.
// sizes: -DN=9 -DTSTEPS=1
// variants: long
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The data are multiples of 64, so that the eighths of four half steps are exact. */
#ifndef N
#define N 13
#endif
#ifndef TSTEPS
#define TSTEPS 2
#endif
#define DATA double

static void kernel_heat_3d(int steps, int n, DATA A[n][n][n], DATA B[n][n][n])
{
    for (int t = 1; t <= steps; t++) { // loop: sequential, pair(+4 B[i][j][k], +4 B[i][j][k]), because every step uses the values of the step before
        for (int i = 1; i < n - 1; i++) { // loop: parallel
            for (int j = 1; j < n - 1; j++) { // loop: parallel
                for (int k = 1; k < n - 1; k++) { // loop: parallel
                    B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2 * A[i][j][k] + A[i - 1][j][k])
                        + 0.125 * (A[i][j + 1][k] - 2 * A[i][j][k] + A[i][j - 1][k])
                        + 0.125 * (A[i][j][k + 1] - 2 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
                }
            }
        }
        for (int i = 1; i < n - 1; i++) { // loop: parallel
            for (int j = 1; j < n - 1; j++) { // loop: parallel
                for (int k = 1; k < n - 1; k++) { // loop: parallel
                    A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2 * B[i][j][k] + B[i - 1][j][k])
                        + 0.125 * (B[i][j + 1][k] - 2 * B[i][j][k] + B[i][j - 1][k])
                        + 0.125 * (B[i][j][k + 1] - 2 * B[i][j][k] + B[i][j][k - 1]) + B[i][j][k];
                }
            }
        }
    }
}

static void fill3(int n, DATA a[n][n][n])
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < n; j++) // loop: parallel
            for (int k = 0; k < n; k++) // loop: parallel
                a[i][j][k] = (DATA)(((i * 5 + j * 2 + k * 3 + i * j) % 7 - 3) * 64);
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
    DATA(*A)[N][N] = malloc(sizeof(DATA[N][N][N]));
    DATA(*B)[N][N] = malloc(sizeof(DATA[N][N][N]));
    if (!A || !B)
        return 1;

    fill3(N, A);
    fill3(N, B);
    kernel_heat_3d(TSTEPS, N, A, B);
    show2("A", N * N, N, A[0]);
    show2("B", N * N, N, B[0]);

    free(A);
    free(B);
    return 0;
}
