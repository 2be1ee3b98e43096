// GRAMSCHMIDT: A = Q R by the modified Gram-Schmidt process; arrays of the file, variable-length array parameters.
// sizes: -DM=16 -DN=13
// libraries: m
// variants: long
#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* A is the product of a matrix of ones and minus ones with orthogonal columns and an integer triangle whose diagonal holds
   powers of two. With M a power of four and N below M every norm is a power of two, and everything is exact. */
#ifndef M
#define M 64
#endif
#ifndef N
#define N 21
#endif
#define DATA float

static DATA A[M][N];
static DATA R[N][N];
static DATA Q[M][N];

static void kernel_gramschmidt(int m, int n, DATA a[m][n], DATA r[n][n], DATA q[m][n])
{
    DATA norm;

    for (int k = 0; k < n; k++) { // loop: sequential, pair(+12 a[i][j], +3 a[i][k]), because column k depends on the columns before it
        norm = 0;
        for (int i = 0; i < m; i++) // loop: parallel, reduction(+:norm)
            norm += a[i][k] * a[i][k];
        r[k][k] = sqrtf(norm);
        for (int i = 0; i < m; i++) // loop: parallel
            q[i][k] = a[i][k] / r[k][k];
        for (int j = k + 1; j < n; j++) { // loop: parallel
            r[k][j] = 0;
            for (int i = 0; i < m; i++) // loop: parallel, reduction(+:r[k][j])
                r[k][j] += q[i][k] * a[i][j];
            for (int i = 0; i < m; i++) // loop: parallel
                a[i][j] = a[i][j] - q[i][k] * r[k][j];
        }
    }
}

static int sign(int i, int k)
{
    int bits = i & (k + 1);
    bits ^= bits >> 4;
    bits ^= bits >> 2;
    bits ^= bits >> 1;
    return bits & 1 ? -1 : 1;
}

static void matrix(void)
{
    for (int i = 0; i < M; i++) { // loop: parallel
        for (int j = 0; j < N; j++) { // loop: parallel
            int sum = sign(i, j) * (j % 3 ? 2 : 1);
            for (int k = 0; k < j; k++) // loop: parallel, reduction(+:sum)
                sum += sign(i, k) * ((k * 2 + j) % 3 - 1);
            A[i][j] = (DATA)sum;
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
    matrix();
    fill2(N, N, R, 5);
    fill2(M, N, Q, 3);
    kernel_gramschmidt(M, N, A, R, Q);
    show2("A", M, N, A);
    show2("R", N, N, R);
    show2("Q", M, N, Q);
    return 0;
}
