/* Every way of going somewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct big { double d[5]; struct point p; char name[6]; };
typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static operation choose(int c) { return c ? add : sub; }

static struct big make(int n) {
  struct big b = {.p = {n, n + 1}, .name = "big"};
  for (int i = 0; i < 5; i++) b.d[i] = n * i;
  return b;
}
static double total(struct big b) {
  double s = 0;
  for (int i = 0; i < 5; i++) s += b.d[i];
  b.p.x = 100;
  return s + b.p.y;
}
static void copy(char *to, const char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) {
  case 0: do { *to++ = *from++;
  case 7: *to++ = *from++;
  case 6: *to++ = *from++;
  case 5: *to++ = *from++;
  case 4: *to++ = *from++;
  case 3: *to++ = *from++;
  case 2: *to++ = *from++;
  case 1: *to++ = *from++;
          } while (--n > 0);
  }
}
static int classify(int c) {
  switch (c) {
  case 'a' ... 'z': return 1;
  case '0': case '1': return 2;
  default: c = 9; break;
  case -5: c = 4;
  }
  return c;
}
static int counter(void) {
  static int n = 10;
  static int table[3] = {1, 2};
  table[2] += n;
  return n++ + table[2];
}
static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static void matrix(int n, int m, double a[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = i * m + j;
}
static void hanoi(int n, int from, int to, int by, int *moves) {
  if (n == 0) return;
  hanoi(n - 1, from, by, to, moves);
  ++*moves;
  hanoi(n - 1, by, to, from, moves);
}

int global[] = {3, 1, 2}, *pointer = &global[1];
static const char *const names[] = {"zero", "one", [4] = "four"};
struct node { int value; struct node *next; };

int main(void) {
  printf("%d %d\n", choose(1)(5, 3), (*choose(0))(5, 3));
  operation table[] = {add, sub, &add};
  for (int i = 0; i < 3; i++) printf("%d ", table[i](i, 2));
  struct big b = make(3), c = b;
  c.d[0] = 50;
  printf("%g %g %d %s\n", total(b), total(c), b.p.x, make(2).name);
  char to[30] = "";
  copy(to, "copied by duff's device", 24);
  puts(to);
  printf("%d %d %d %d %d\n", classify('q'), classify('1'), classify('!'), classify(-5), classify('0'));
  for (int i = 0; i < 3; i++) printf("%d ", counter());
  printf("%ld %d %d\n", fib(20), even(100), odd(7));
  int n = 4, m = 3, moves = 0;
  double vla[n][m];
  matrix(n, m, vla);
  printf("%g %zu %zu\n", vla[3][2], sizeof vla, sizeof vla[0]);
  hanoi(10, 1, 2, 3, &moves);
  printf("%d\n", moves);
  int i = 0;
again:
  if (i < 3) {
    printf("%d", i);
    i++;
    goto again;
  }
  for (i = 0; i < 10; i++) {
    for (int j = 0; j < 10; j++) {
      if (i * j == 42) goto found;
      if (j > i) break;
      if ((i + j) % 2) continue;
      moves += j;
    }
  }
found:
  printf(" %d %d\n", i, moves);
  i = 5;
  while (i-- > 0) {
    if (i == 3) continue;
    printf("%d ", i);
  }
  do printf("once %d\n", i); while (++i < 0);
  for (int a = 0, z = 10; a < z; a += 2, z--) printf("%d:%d ", a, z);
  printf("\n%d %d %s %d\n", *pointer, pointer[-1], names[4], names[2] == NULL);
  struct node *list = NULL;
  for (int k = 0; k < 5; k++) {
    struct node *fresh = malloc(sizeof *fresh);
    *fresh = (struct node){k, list};
    list = fresh;
  }
  while (list) {
    struct node *next = list->next;
    printf("%d ", list->value);
    free(list);
    list = next;
  }
  struct point points[2][3] = {{{1, 2}, {3}}, {[2] = {.y = 9}}};
  int (*rows)[3] = (int[][3]){{1, 2, 3}, {4, 5, 6}};
  printf("%d %d %d\n", points[0][1].x, points[1][2].y, rows[1][2]);
  int x = 3;
  x = x > 2 ? x < 5 ? 10 : 20 : 30;
  printf("%d %d\n", x, ({ int t = x; t * 2; }));
  for (int k = 0; k < 3; k++) {
    int local[k + 1];
    for (int q = 0; q <= k; q++) local[q] = q * k;
    printf("%d ", local[k]);
  }
  switch (x) {
    int y;
  case 10:
    y = 4;
    printf("%d\n", y);
  }
  {
    void *targets = NULL;
    printf("%d\n", targets == NULL);
  }
  unsigned long mask = 0;
  for (int s = 63; s >= 0; s -= 9) mask |= 1ul << s;
  printf("%lx\n", mask);
  if (memcmp(&points[0][0], &(struct point){1, 2}, sizeof(struct point)) == 0) return 17;
  return 1;
}
