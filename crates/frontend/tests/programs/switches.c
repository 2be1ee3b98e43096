/* switch, goto, labels. */
#include <stdio.h>
enum op { ADD, SUB = 4, MUL };
static int run(enum op o, int a, int b) { switch (o) { case ADD: return a + b; case SUB: return a - b; case MUL: { int r = a * b; return r; } } return -1; }
static int fall(int x) { int r = 0; switch (x) { case 1: r += 1; case 2: r += 2; break; case 3 ... 6: r += 3; default: r += 10; case 9: r += 20; } return r; }
static int nested(int x, int y) { int r = 0; switch (x) { case 0: switch (y) { case 0: r = 1; break; default: r = 2; } r += 10; break; case 1: if (y) { case 7: r = 5; } else r = 6; break; } return r; }
static int duff(char *to, const char *from, int count) { int n = (count + 3) / 4; switch (count % 4) { case 0: do { *to++ = *from++; case 3: *to++ = *from++; case 2: *to++ = *from++; case 1: *to++ = *from++; } while (--n > 0); } return n; }
static int jump(int n) { int s = 0; again: s += n; if (--n > 0) goto again; for (int i = 0; i < 5; i++) { for (int j = 0; j < 5; j++) if (i * j == 6) goto out; s += i; } out: return s; }
static int neg(unsigned char c) { switch (c) { case 255: return 1; case 'a': return 2; case 'b': case 'c': return 3; } return 0; }
static int lng(long long v) { switch (v) { case -1: return 1; case 0x100000000LL: return 2; default: return 3; } }
int main(void) {
  for (int i = 0; i < 11; i++) printf("%d ", fall(i)); printf("\n%d %d %d\n", run(ADD, 3, 4), run(SUB, 3, 4), run(MUL, 3, 4));
  printf("%d %d %d %d %d\n", nested(0, 0), nested(0, 1), nested(1, 0), nested(1, 2), nested(7, 1)); char buf[16] = {0}; duff(buf, "hello, duff!", 12); printf("%s\n", buf);
  printf("%d %d\n", jump(4), neg(255) + neg('a') * 10 + neg('c') * 100); printf("%d%d%d\n", lng(-1), lng(4294967296), lng(1));
  int i = 0; loop: if (i >= 3) goto done; printf("%d", i); i++; goto loop; done: printf("\n"); switch (i) ; switch (i) { int dead; case 3: dead = 4; printf("%d\n", dead); }
  goto skip; { int x; skip: x = 3; printf("%d\n", x); } switch (2) default: printf("d\n"); return 0;
}
