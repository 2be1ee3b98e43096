/* Floating types, their conversions and their comparisons. */
#include <stdio.h>
#include <math.h>
#include <float.h>
int main(void) {
  float f = 0.1f, g = 16777217.0f; double d = 0.1, e = 1.0 / 3; 
  printf("%.9g %.9g %.17g %.17g\n", f, g, d, e); printf("%d %d\n", f == d, (float)d == f);
  f += d; printf("%.9g\n", f); f *= 3; printf("%.9g\n", f); d = f; printf("%.17g\n", d); d /= 7; printf("%.17g\n", d);
  int i = d * 100; printf("%d\n", i); i = -d; printf("%d\n", i); unsigned u = 3e9; printf("%u\n", u); long l = -1e15; printf("%ld\n", l);
  d = u; printf("%g\n", d); f = l; printf("%.9g\n", f); d = (float)1e-3; printf("%.17g\n", d); d++; --f; printf("%.9g %.9g\n", d, f);
  printf("%d %d %d\n", d > f, !d, d && f); printf("%.17g %.17g\n", sqrt(2.0), fabs(-3.5)); printf("%g\n", floor(-2.5));
  d = 0.0; printf("%d\n", 1.0 / (d + 1) == 1); printf("%d\n", -0.0 == 0.0); d = DBL_MAX; printf("%d\n", d * 2 > d); printf("%g\n", -d < 0 ? -1.5 : 2);
  float a[4] = {1, 2.5, 'c', 1e3f}; float s = 0; for (int k = 0; k < 4; k++) s += a[k] * k; printf("%.9g\n", s);
  s -= 1; s /= 2; printf("%.9g\n", s); d = 1; d -= 0.1f; printf("%.17g\n", d); i = 5; i *= 1.5; printf("%d\n", i); i /= 0.7; printf("%d\n", i);
  char c = 10; c += 1.7; printf("%d\n", c); d = i / 2; printf("%g\n", d); d = i / 2.0f; printf("%g\n", d); printf("%g\n", (double)i / 4);
  printf("%.17g %.17g\n", 0.1f + 0.2f, 0.1 + 0.2f); printf("%d\n", isnan(sqrt(-1.0)) != 0); printf("%g\n", fmax(2, 3) + pow(2, 10) + exp(0));
  printf("%d\n", (int)(0.1f * 10)); long double ld = 2.0L; ld = ld * 3 + 1; printf("%d\n", (int)ld); printf("%g\n", 1e300 * 10);
  printf("%g %g\n", 0x1p4, 1.5e+2); return (int)s;
}
