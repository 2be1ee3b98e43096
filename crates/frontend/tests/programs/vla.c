/* Variable-length arrays: locals, parameters, pointers to them, typedefs, sizeof. */
#include <stdio.h>
#include <stdlib.h>
static double trace(int n, double a[n][n]) { double s = 0; for (int i = 0; i < n; i++) s += a[i][i]; return s; }
static void mul(int n, int m, int p, double a[n][m], double b[m][p], double c[restrict n][p]) { for (int i = 0; i < n; i++) for (int j = 0; j < p; j++) { c[i][j] = 0; for (int k = 0; k < m; k++) c[i][j] += a[i][k] * b[k][j]; } }
static int cols(int n, int m, int (*a)[m]) { int s = 0; n *= 1; m = 100; for (int i = 0; i < n; i++) s += a[i][1]; return s + (int)(sizeof *a / sizeof **a); } static long d3(int n, long t[][n][n + 1]) { return t[1][n - 1][n]; }
int main(void) {
  int n = 3, m = 4; double a[n][n]; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = i * 10 + j; printf("%g\n", trace(n, a)); printf("%zu %zu\n", sizeof a, sizeof a[0]);
  double (*h)[m] = malloc(sizeof(double[n][m])), (*g)[n] = (double (*)[n])malloc(m * sizeof *g); double c[n][n]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { h[i][j] = i + j; g[j][i] = i - j; } mul(n, m, n, h, g, c); for (int i = 0; i < n; i++) printf("%g %g %g\n", c[i][0], c[i][1], c[i][2]);
  int k = 5; int v[k]; k = 7; for (int i = 0; i < 5; i++) v[i] = i * k; printf("%d %zu\n", v[4], sizeof v / sizeof v[0]); int z[2][m]; for (int i = 0; i < 2 * m; i++) (&z[0][0])[i] = i; printf("%d\n", cols(2, m, z));
  typedef int row[m]; row r; m = 9; r[3] = 8; printf("%d %zu\n", r[3], sizeof(r)); row *pr = &r; (*pr)[0] = 1; printf("%d\n", pr[0][0]); long t[2][n][n + 1]; t[1][2][3] = 77; printf("%ld\n", d3(n, t));
  for (int s = 1; s < 4; s++) { int w[s]; w[s - 1] = s; printf("%d %zu ", w[s - 1], sizeof w); } printf("\n"); int (*p)[n] = (int (*)[n])z; p++; printf("%d %d\n", (*p)[0], (int)(p - (int (*)[n])z)); free(h); free(g); return 0;
}
