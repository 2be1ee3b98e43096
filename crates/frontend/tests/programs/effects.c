/* Effects inside expressions: order, temporaries, short circuits. */
#include <stdio.h>
static int count; static int next(void) { return ++count; }
static int say(const char *s, int v) { printf("[%s %d]", s, v); return v; }
static int g; static int setg(int v) { g = v; return v * 2; }
struct pt { int x, y; }; static struct pt mk(int a) { struct pt p = {a, a + 1}; count++; return p; }
static int *where(int *p) { count++; return p; }
int main(void) {
  int a[10] = {0}, i = 0, j, k; int *p = a, *q; unsigned char b = 255;
  a[i++] = 5; a[i++] = 6; *p++ = 7; *++p = 8; printf("%d %d %d %d %ld\n", a[0], a[1], a[2], i, (long)(p - a));
  q = a; p = a + 5; for (k = 0; k < 3; k++) *p++ = *q++ + 1; printf("%d %d %d\n", a[5], a[6], a[7]);
  i = j = k = 4; printf("%d %d %d\n", i, j, k); i = (j = 2) + (k = 3); printf("%d %d %d\n", i, j, k); i += j++ * ++k; printf("%d %d %d\n", i, j, k);
  b++; j = b--; printf("%d %d\n", b, j); a[next()] += 10; a[next()]++; printf("%d %d %d\n", a[1], a[2], count); *where(a) -= 3; printf("%d %d\n", a[0], count);
  i = 0; if (i && say("no", 1)) say("no2", 1); if (i || say("yes", 1)) say("yes2", 2); if (say("a", 1) && say("b", 0) || say("c", 1)) printf("\n");
  j = i ? say("t", 1) : say("f", 2); j = j == 2 && say("x", 3); printf("%d\n", j); j = (say("l", 1), say("r", 9)); printf("%d\n", j);
  while (i++ < 3) printf("%d ", i); printf("%d\n", i); do { i -= 2; } while (--i > 0 && say("w", i)); printf("%d\n", i);
  for (i = 0, j = 10; i < j; i++, j--) a[i] = j; printf("%d %d\n", i, j); j = !next(); printf("%d\n", j);
  i = next() + next() * next(); printf("%d\n", i); i = -next(); printf("%d\n", i); (void)next(); next(); printf("%d\n", count);
  i = 1 ? 2 : next(); printf("%d %d\n", i, count); i = count > 3 ?: 5; printf("%d\n", i); i = next() ?: 5; printf("%d\n", i); i = 0 ?: next(); printf("%d\n", i);
  struct pt s = mk(3), t; t = mk(s.y); printf("%d %d %d\n", s.x, t.y, mk(7).y); t = i ? s : t; printf("%d\n", t.x); t = i > 100 ? s : mk(1); printf("%d\n", t.x);
  i = ({ int z = next(); z + 1; }); printf("%d\n", i); i = ({ int z = i; for (int m = 0; m < 3; m++) z *= 2; z; }) + 1; printf("%d\n", i);
  i = setg(4) + 1; printf("%d %d\n", i, g); (i = 5) ? say("five", i) : say("none", i); a[i = 2] = 3; printf("%d %d\n", a[2], i); i = (a[3] = 9) + 1; printf("%d\n", i);
  p = q = a; printf("%d\n", p == q); i = *p++ + 2; printf("%d %ld\n", i, (long)(p - a)); i = (*p)++; printf("%d %d\n", i, *p); i = -(*p)--; printf("%d %d\n", i, *p);
  double d = i = 3.7; printf("%g\n", d); d = b = 300; printf("%g\n", d); long l; l = i = -1; printf("%ld\n", l); unsigned u; l = u = -1; printf("%ld\n", l);
  s.x = s.y = 3; printf("%d\n", s.x); s.x += (s.y *= 2); printf("%d\n", s.x); struct pt *sp = &s; i = sp->x++ + --sp->y; printf("%d %d %d\n", i, s.x, s.y);
  if ((i = next()) > 3 && i < 1000) printf("ok\n"); switch (i = 3, i++) { case 3: printf("three %d\n", i); } return say("exit", 3);
}
