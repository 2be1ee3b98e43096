/* Pointer arithmetic and walking, function pointers, casts, restrict, null. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
typedef int (*fn)(int); static int inc(int x) { return x + 1; } static int dbl(int x) { return x * 2; } static int apply(fn f, int n, int x) { while (n--) x = f(x); return x; } static fn pick(int c) { return c ? inc : &dbl; }
static void axpy(int n, double *restrict y, const double *restrict x, double a) { while (n-- > 0) *y++ += a * *x++; } static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; } static void cpy(char *d, const char *s) { while ((*d++ = *s++)) ; } static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int **grid(int n) { int **g = malloc(n * sizeof(int *)); for (int i = 0; i < n; i++) { g[i] = calloc(n, sizeof **g); for (int j = 0; j < n; j++) g[i][j] = i * j; } return g; }
int main(void) {
  double x[5] = {1, 2, 3, 4, 5}, y[5] = {0}; axpy(5, y, x, 2); axpy(2, y + 3, x, 1); printf("%g %g %g\n", y[0], y[3], y[4]); int a = 1, b = 2; swap(&a, &b); printf("%d %d\n", a, b); char buf[20]; cpy(buf, "copied"); puts(buf); printf("%d %d %d\n", apply(inc, 3, 4), apply(pick(0), 3, 1), (*pick(1))(5)); fn t[2] = {inc, dbl}; printf("%d\n", t[1](t[0](3)));
  int **g = grid(4); printf("%d %d\n", g[3][2], *(*(g + 2) + 3)); for (int i = 0; i < 4; i++) free(g[i]); free(g); int v[6] = {5, 3, 9, 1, 7, 0}, *p = v + 6, *q = NULL; printf("%d\n", q == 0 && !q && p); while (p > v) if (*--p == 9) { q = p; break; } printf("%ld %d\n", (long)(q - v), p[1] - *(p - 1));
  void *vp = v; int *ip = vp; char *cp = (char *)v + 4; printf("%d %d\n", ip[1], *(int *)cp); unsigned char *bytes = (unsigned char *)&v[2]; printf("%d\n", bytes[0]); uintptr_t u = (uintptr_t)&v[3] - (uintptr_t)v; printf("%d\n", (int)u); p = v; p += 2; p -= 1; p++; printf("%d %d\n", *p, p - v > 1 ? p[-2] : 0); long off = -1; printf("%d %d\n", p[off], *(p + off)); unsigned k = 1; printf("%d %d\n", p[k], *(p - k));
  int *pp[2] = {v, v + 3}; int ***h; int **gp = pp; h = &gp; printf("%d %d\n", **pp, (*h)[1][1]); const char *s = "walk"; int n = 0; for (const char *c = s; *c; c++) n = n * 3 + (*c - 'a'); printf("%d\n", n); char *e = strchr(buf, 'i'); printf("%s %d\n", e, (int)(e - buf)); qsort(v, 6, sizeof *v, cmp); for (int i = 0; i < 6; i++) printf("%d ", v[i]); printf("\n"); short sv[3] = {1, 2, 3}, *sp = sv; *sp++ += 5; *sp-- *= 2; printf("%d %d\n", sv[0], sv[1]); int *np = 0; if (np) return 1; return np == NULL ? 4 : 5;
}
