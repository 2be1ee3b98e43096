/* Definitions in the style of Kernighan and Ritchie, implicit int, no prototypes. */
#include <stdio.h>
int add(a, b) int a, b; { return a + b; }
double mean(n, v) int n; double *v; { double s = 0; int i; for (i = 0; i < n; i++) s += v[i]; return s / n; }
float half(x) float x; { return x / 2; }
char up(c) char c; { if (c >= 'a' && c <= 'z') c -= 32; return c; }
short cut(s) register short s; { return s + 1; }
int matrix(m) int m[][2]; { return m[1][0]; }
void nothing() { }
int late();
int main() { double v[3]; int m[2][2]; v[0] = 1; v[1] = 2; v[2] = 6; m[1][0] = 42; nothing(); printf("%d %g %g %c %d %d %d\n", add(1, 2), mean(3, v), half(3.0), up('q'), cut(32766), matrix(m), late(5)); return late(2); }
int late(x) int x; { return x + 1; }
