/* float, double, long double, math. */
#include <float.h>
#include <math.h>
#include <stdio.h>

static float sumf(int n) {
  float s = 0;
  for (int i = 1; i <= n; i++) s += 1.0f / i;
  return s;
}

int main(void) {
  float f = 0.1f;
  double d = 0.1;
  printf("%.10f %.20f %d %d\n", f, d, f == d, f == 0.1f);
  printf("%.9g %.9g\n", f * f, f * d);
  printf("%.9g\n", sumf(10000));
  float a = 16777216.0f;
  printf("%.1f %.1f\n", a + 1.0f, a + 1.0);
  printf("%g %g %g\n", 1e308 * 10, -1e308 * 10, 0.0 / 1.0);
  double nan = NAN;
  printf("%d %d %d %d\n", nan == nan, nan < 1, !(nan >= 1), nan != nan);
  printf("%d %d %d\n", isnan(nan) != 0, isinf(INFINITY) != 0, isfinite(1.0) != 0);
  double xs[] = {-2.5, -1.5, -0.5, 0.0, 0.5, 1.5, 2.5, 10.25, 1e10, 0.001};
  for (int i = 0; i < 10; i++) {
    double x = xs[i];
    printf("%.17g %.17g %.17g %.17g %.17g\n", sin(x), cos(x), tan(x), atan(x), exp(x / 4));
    printf("%g %g %g %g %g %g\n", floor(x), ceil(x), trunc(x), round(x), rint(x), fabs(x));
    printf("%.17g %.17g %.17g %.17g\n", sqrt(fabs(x)), cbrt(x), pow(fabs(x), 1.7), fmod(x, 0.7));
    printf("%.17g %.17g %.17g\n", log(fabs(x) + 1), log10(fabs(x) + 2), log2(fabs(x) + 3));
    printf("%.17g %.17g %.17g %.17g\n", sinh(x / 1e9), cosh(x / 1e9), tanh(x), hypot(x, 3));
    printf("%.9g %.9g %.9g %.9g %.9g\n", sinf((float)x), expf((float)x / 1e9f), sqrtf(fabsf((float)x)), powf(1.1f, (float)x / 1e9f), floorf((float)x));
    printf("%.17g %.17g %.17g\n", atan2(x, 2), expm1(x / 1e10), log1p(fabs(x)));
    printf("%g %g %g %g\n", fmin(x, 1), fmax(x, 1), copysign(3, x), fdim(x, 1));
    int e;
    double m = frexp(x, &e), ip;
    double fr = modf(x, &ip);
    printf("%g %d %g %g %g %ld %ld\n", m, e, fr, ip, ldexp(x, 3), lround(x), lrint(x));
    printf("%.17g %.17g\n", remainder(x, 0.3), fma(x, x, -1));
  }
  long double ld = 1.0L;
  for (int i = 1; i < 20; i++) ld *= i;
  printf("%.0Lf %zu %zu\n", ld, sizeof ld, sizeof(struct { char c; long double l; }));
  printf("%g %g %g\n", DBL_MAX, DBL_MIN, (double)FLT_EPSILON);
  int i = 7;
  double mixed = i / 2 + i / 2.0 + (float)i / 3;
  printf("%.15g\n", mixed);
  i *= 1.5;
  printf("%d\n", i);
  i += 0.9f;
  printf("%d\n", i);
  f = 1;
  f /= 3;
  f += 1e-9;
  printf("%.9g\n", f);
  unsigned char c = 200;
  c *= 1.2f;
  printf("%d\n", c);
  double z = -0.0;
  printf("%g %d %g\n", z, z == 0, 1 / z);
  printf("%g\n", -f);
  if (f) printf("true\n");
  if (!z) printf("false\n");
  printf("%d\n", f && z);
  return 0;
}
