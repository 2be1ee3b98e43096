/* Odds and ends: attributes, compound literals in calls, generic, builtins, nested functions calls in initializers, comments, digraphs. */
#include <stdio.h>
#include <stdbool.h>
#include <assert.h>
#include <string.h>
#define likely(x) __builtin_expect(!!(x), 1)
typedef struct { int lo, hi; } range; static int width(range r) { return r.hi - r.lo; } static __attribute__((noinline)) int f(int x) { return x + 1; } static inline __attribute__((always_inline)) int g(const int x) { return x * 2; } _Static_assert(sizeof(int) == 4, "int"); static int unused_param(int a __attribute__((unused)), int b) { return b; }
static bool flag(int x) { return x; } static int many_returns(int x) { if (x == 1) return 10; for (int i = 0; i < 5; i++) if (i == x) return i * 2; return -1; } static void v(void) { return; } static void early(int *p) { if (!p) return; *p = 9; } static unsigned char low(int x) { return x; } static float narrow(double d) { return d; } static int wide(void) { return 'a'; }
int main(void) {
  printf("%d %d\n", width((range){3, 10}), width((range){.hi = 4})); if (likely(f(1) == 2)) printf("likely\n"); printf("%d %d %d\n", g(f(2)), unused_param(1, 2), flag(7)); assert(f(0) == 1); int a<:3:> = <%1, 2, 3%>; printf("%d\n", a<:1:>); /* comment; with { */ // and another
  printf("%d %d %d %d\n", many_returns(1), many_returns(3), many_returns(9), low(511)); v(); int z = 1; early(&z); early(0); printf("%d %.9g %d\n", z, narrow(0.1), wide()); const int k = 3; register int r = k + 1; volatile int w = r; w = w + w; printf("%d\n", w); auto int au = 2; printf("%d\n", au); bool b = 5; b = b && z; printf("%d %d\n", b, true + true); int x = f(f(f(1))), y = x + f(x); printf("%d %d\n", x, y); { int x = 100; x++; y = x; } printf("%d %d\n", x, y); ; ;;
  __typeof__(x) tt = 3; printf("%d\n", tt); printf("%zu %zu %zu\n", sizeof(int[3]), sizeof x, _Alignof(double)); printf("%s\n", __func__); goto end; x = 0; end: printf("%d\n", x); int big = 1000000007, md = (int)((long long)big * 3 % 1000); printf("%d\n", md); const char *s = "con" "cat"; printf("%s %d\n", s, (int)strlen(s)); if (x) ; else printf("no\n"); char c = 'A' + 2; printf("%c%c\n", c, c + 1); printf("%d\n", __builtin_constant_p(3)); int e[2][2] = {{1, 2}, {3, 4}}, (*ep)[2] = e; printf("%d\n", ep[1][0]); return !!x;
}
