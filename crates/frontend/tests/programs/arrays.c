/* Arrays of several dimensions, decay, pointers to arrays, strings. */
#include <stdio.h>
#include <string.h>
static double A[3][4]; static int t[2][3] = {{1, 2, 3}, {4, 5, 6}}; static int v[] = {[2] = 5, 6, [0] = 1}; const char *names[] = {"one", "two", "three"};
static int sum(int n, int a[]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; } static int sum2(int a[][3], int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) s += a[i][j] * (i + 1); return s; }
static int sump(int (*a)[3]) { return (*a)[1] + a[1][2] + *a[0] + **a; } static void fill(double (*m)[4], double x) { for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) m[i][j] = x * i + j; }
static int len(const char *s) { const char *p = s; while (*p) p++; return p - s; } static void rev(char *s) { char *e = s + strlen(s) - 1; while (s < e) { char c = *s; *s++ = *e; *e-- = c; } }
int main(void) {
  fill(A, 2.5); printf("%g %g\n", A[2][3], *(*(A + 1) + 2)); printf("%d %d %d\n", sum(6, &t[0][0]), sum2(t, 2), sump(t)); printf("%zu %zu %zu\n", sizeof A, sizeof t[0], sizeof v / sizeof *v);
  for (int i = 0; i < 4; i++) printf("%d ", v[i]); printf("%s %c %d\n", names[1], names[2][3], len(names[2])); char s[] = "reverse"; rev(s); puts(s); char pad[10] = "ab"; printf("%d %zu\n", pad[9], sizeof s);
  int m[2][2][2] = {1, 2, {3}, {{5, 6}, 7}}; for (int i = 0; i < 8; i++) printf("%d ", (&m[0][0][0])[i]); printf("\n"); int *p = t[1]; printf("%d %d %d\n", p[-1], 2[p], *(p + 1)); int (*row)[3] = t; row++; printf("%d\n", (*row)[0]);
  int (*all)[2][3] = &t; printf("%d %d\n", (*all)[1][1], (int)(row - t)); char *q = s; q[0] = 'X'; *(q + 1) = 'Y'; q += 2; q -= 1; printf("%s %c\n", s, *q); int *e = &v[4], n = 0; for (int *x = v; x != e; ++x) n += *x; printf("%d\n", n);
  const char *lit = "a\tb\"\\\x41\101"; printf("%s %d\n", lit, (int)strlen(lit)); printf("%d\n", "hello"[1]); char two[2][4] = {"abc", {'x', 'y'}}; printf("%s %s\n", two[0], two[1]); long big[100] = {0}; big[99] = 3; printf("%ld\n", big[98] + big[99]);
  int z[3] = {1}; z[2] = z[0]++ + 4; printf("%d %d %d\n", z[0], z[1], z[2]); short sh[4] = {[1 ... 2] = 7, 9}; printf("%d%d%d%d\n", sh[0], sh[1], sh[2], sh[3]); unsigned char bytes[4]; int val = 0x01020304; memcpy(bytes, &val, 4); printf("%d%d\n", bytes[0], bytes[3]);
  unsigned idx = 1; printf("%d\n", t[idx][idx + 1u]); signed char ci = 2; printf("%d\n", t[0][ci]); return &t[1][0] - &t[0][0];
}
