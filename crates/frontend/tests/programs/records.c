/* Structs, unions, bit-fields, unnamed members, initializers, by value and by pointer. */
#include <stdio.h>
#include <stddef.h>
struct in { int a; char c[3]; double d; }; struct out { struct in one, many[2]; union { int i; float f; }; struct { short x, y; }; struct out *next; };
struct bits { unsigned a : 3; int b : 5; unsigned : 0; unsigned c : 17; _Bool f : 1; unsigned long l : 40; }; typedef struct { float x, y, z; } vec; union u { unsigned w; unsigned char b[4]; };
static vec add(vec a, vec b) { vec r = {a.x + b.x, a.y + b.y}; r.z = a.z + b.z; return r; } static void scale(vec *v, float s) { v->x *= s; v->y *= s; (*v).z *= s; } static double get(const struct out *o, int i) { return o->many[i].d + o->one.c[1]; }
static struct out glob = {.one = {1, {2, 3}, 4.5}, .many[1].d = 6, .i = 9, .y = 4}; static struct in tab[] = {{1, "ab", 2}, {.d = 3}, [3] = {4}}; static struct { int k; const char *s; int (*fn)(int); } disp[2]; static int twice(int x) { return 2 * x; }
struct list { int v; struct list *next; }; static int total(struct list *l) { int s = 0; for (; l; l = l->next) s += l->v; return s; } struct flex { int n; int data[]; };
int main(void) {
  struct out o = {{1, "xy", 2.5}, {{3}}, {7}, {8, 9}}, *p = &o; printf("%d %s %g %d %d %d %d\n", o.one.a, o.one.c, p->one.d, p->many[0].a, p->many[1].a, p->i, p->y); o.many[1] = o.one; o.many[1].d++; printf("%g %g\n", get(&o, 1), get(&glob, 1)); o.next = &glob; printf("%d %d\n", o.next->i, p->next->y);
  vec a = {1, 2, 3}, b = {.y = 5}; a = add(a, b); scale(&a, 2); printf("%g %g %g %g\n", a.x, a.y, a.z, add(a, a).y); struct bits t = {7, -3, 100000, 1, 1UL << 39}; t.a++; t.b -= 20; t.c += 40000; printf("%d %d %d %d %lu %zu\n", t.a, t.b, t.c, t.f, (unsigned long)t.l, sizeof t); int r = t.a = 12; printf("%d %d\n", r, t.a++); printf("%d\n", -t.a < 0); t.f = 4; printf("%d\n", t.f);
  union u w; w.w = 0x01020304; printf("%d %d\n", w.b[0], w.b[3]); w.b[1] = 0xff; printf("%x\n", w.w); o.f = 1.0f; printf("%x\n", o.i); for (int i = 0; i < 4; i++) printf("%d %s %g;", tab[i].a, tab[i].c, tab[i].d); printf("\n%zu %zu %zu\n", sizeof(struct out), offsetof(struct out, many[1].d), sizeof tab);
  disp[0].s = "tw"; disp[0].fn = twice; disp[1] = disp[0]; printf("%s %d\n", disp[1].s, disp[1].fn(21)); struct list n3 = {3, 0}, n2 = {2, &n3}, n1 = {1, &n2}; printf("%d\n", total(&n1)); vec arr[3] = {{1}, {2, 3}, a}; vec *q = arr; (q++)->x = 10; printf("%g %g %g\n", arr[0].x, q->y, (q + 1)->x);
  vec *lit = &(vec){.z = 4}; printf("%g %d\n", lit->z, (int[]){3, 4, 5}[1]); struct flex *f = (struct flex *)(int[]){2, 10, 20}; printf("%d\n", f->n + f->data[1]); struct out copy = *p; copy.one.a = 99; printf("%d %d\n", o.one.a, copy.one.a); struct { int x; } an = {4}; an.x += 1; printf("%d\n", an.x); return (p->x == 8) + (a.x > 0 ? a : b).y;
}
