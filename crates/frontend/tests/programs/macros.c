/* Macros for bounds, bodies, whole loops and statements. */
#include <stdio.h>
#define N 7
#define DOUBLE(x) ((x) * 2)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define GMAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define LOOP(i, lo, hi, body) for (int i = (lo); i < (hi); i++) { body; }
#define SWAP(T, a, b) do { T _t = (a); (a) = (b); (b) = _t; } while (0)
#define IDX(i, j) [(i) * N + (j)]
#define BEGIN {
#define END }
#define CAT(a, b) a##b
#define STR(x) #x
#define TWICE(s) s; s
#define IF(c) if (c) {
#define ELSE } else {
#define FI }
#define EACH(T, p, a) for (T *p = a; p < a + sizeof(a) / sizeof(a[0]); p++)
#define CHECK(c) if (!(c)) printf("failed %s\n", #c)
#if N > 5
#define LIM (N - 1)
#else
#define LIM N
#endif
static int a[N * N];
int main(void) BEGIN
  int s = 0, t = 3; LOOP(i, 0, N, LOOP(j, 0, N, a IDX(i, j) = i * j)) LOOP(i, 1, LIM, s += a IDX(i, i)) printf("%d\n", s); SWAP(int, s, t); printf("%d %d\n", s, t); printf("%d %d\n", DOUBLE(s + 1), MAX(s, t)); printf("%d\n", GMAX(s++, t)); printf("%d\n", s); TWICE(s += 2); printf("%d\n", s);
  IF (s > 3) printf("big\n"); ELSE printf("small\n"); FI int CAT(va, r) = 5; printf("%d %s\n", var, STR(a + b)); int q[4] = {1, 2, 3, 4}; EACH(int, p, q) s += *p; printf("%d\n", s); CHECK(s > 1000); CHECK(s < 1000);
  for (int i = 0; i < N; i++) if (i == LIM) printf("%d\n", i); printf("%d\n", __LINE__ > 0); return s & 1; END
