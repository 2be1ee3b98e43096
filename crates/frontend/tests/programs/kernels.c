/* Shapes of numerical kernels: matrices, stencils, reductions, linearised and walked by pointers. */
#include <stdio.h>
#include <stdlib.h>
#define N 9
#define M 7
static int A[N][M], B[M][N], C[N][N], X[N], Y[N];
static void gemm(int alpha, int beta) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { C[i][j] *= beta; for (int k = 0; k < M; k++) C[i][j] += alpha * A[i][k] * B[k][j]; } } static void jacobi(int n, const int *a, int *b) { for (int i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3; } static int dot(int n, int *x, int *y) { int s = 0; for (int *e = x + n; x < e;) s += *x++ * *y++; return s; }
static void lu(int n, long *a) { for (int k = 0; k < n; k++) for (int i = k + 1; i < n; i++) { a[i * n + k] /= a[k * n + k] ? a[k * n + k] : 1; for (int j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j]; } } static void scan(int n, int *x) { for (int i = 1; i < n; i++) x[i] += x[i - 1]; } static void hist(int n, const int *x, int *h) { for (int i = 0; i < n; i++) h[x[i] & 7]++; }
static int maxi(int n, const int *x) { int m = x[0], at = 0; for (int i = 1; i < n; i++) if (x[i] > m) { m = x[i]; at = i; } return m * 100 + at; } static void transpose(int n, int m, int *a, int *b) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[j * n + i] = a[i * m + j]; } static int tri(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = i; j < n; j += 2) s += i ^ j; return s; }
int main(void) {
  for (int i = 0; i < N; i++) { X[i] = i * 3 % 5; Y[i] = i - 4; for (int j = 0; j < M; j++) { A[i][j] = i + j; B[j][i] = i - j; } } gemm(2, 3); int s = 0; for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) s = s * 31 + C[i][j], s %= 100003; printf("%d\n", s); jacobi(N, X, Y); printf("%d %d\n", Y[3], dot(N, X, Y)); long *a = malloc(sizeof(long) * 16); for (int i = 0; i < 16; i++) a[i] = (i * 7 + 3) % 11 + 1; lu(4, a); for (int i = 0; i < 16; i++) printf("%ld ", a[i]); printf("\n"); free(a); scan(N, X); int h[8] = {0}; hist(N, X, h); for (int i = 0; i < 8; i++) printf("%d ", h[i]); printf("%d %d\n", maxi(N, Y), tri(8)); transpose(N, M, &A[0][0], &B[0][0]); printf("%d %d\n", B[2][5], B[6][8]); return 0;
}
