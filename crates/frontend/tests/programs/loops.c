/* Loops in every form. */
#include <stdio.h>
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define EVER for (;;)
#define UNTIL(c) while (!(c))
static int f(int n) { int s = 0; for (int i = n; i; i--) s += i; return s; }
int main(void) {
  int i, j, s = 0; for (i = 0; i < 10; i++) s += i; printf("%d %d\n", s, i);
  for (i = 10; i > 0; i -= 3) s += i; printf("%d %d\n", s, i); for (i = 0; i != 12; i += 4) s++; printf("%d\n", s);
  for (; i < 20;) i++; for (;; i++) if (i > 25) break; for (i = 0;; ) { if (i++ > 5) break; } printf("%d\n", i); for (i = 3; i--; ) s += i; printf("%d %d\n", s, i);
  for (i = 0, j = 5; i < j; i++, j--) s += i * j; printf("%d\n", s); for (int a = 0, b = 9, *p = &b; a < *p; a++, --b) s += b; printf("%d\n", s);
  for (long k = 5; k >= 0; --k) { if (k == 3) continue; s += k; } printf("%d\n", s); for (unsigned u = 3; u < 4; u--) s += u; printf("%d\n", s);
  i = 0; while (i < 5) { i++; if (i == 2) continue; if (i == 4) break; s += i; } printf("%d %d\n", s, i); do s--; while (s > 50); printf("%d\n", s);
  do { if (i == 4) { i++; continue; } i++; } while (i < 8); printf("%d\n", i); do { s++; break; } while (1); printf("%d\n", s);
  FOR(a, 4) FOR(b, a) s += a * b; printf("%d\n", s); EVER { if (++s > 100) break; } printf("%d\n", s); UNTIL(s < 90) s -= 7; printf("%d\n", s);
  for (i = 0; i < 3; i++) for (j = 0; j < 3; j++) { if (j == i) break; s += j; } printf("%d\n", s); for (i = 0; i < 3; i++) ; printf("%d\n", i);
  for (char c = 'a'; c <= 'e'; c++) putchar(c); putchar('\n'); for (double d = 0; d < 1; d += 0.25) s++; printf("%d\n", s);
  i = 0; for (s = 0; s < 10 && i < 5; s += 2, i++) ; printf("%d %d %d\n", s, i, f(10));
  for (i = 0; i < 5; i++) switch (i) { case 1: continue; case 3: break; default: s += i; } printf("%d\n", s); while (s --> 5) ; printf("%d\n", s);
  for (i = 0; (j = i * i) < 50; i++) s += j; printf("%d %d\n", s, j); int n = 4; for (i = 0; i < n; i++) if (i == 1) n = 6; printf("%d\n", i); return 0;
}
