/* Functions that glibc computes in its own way, at many values. */
#include <math.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  unsigned s = 12345;
  for (int i = 0; i < 2000; i++) {
    s = s * 1664525u + 1013904223u;
    double x = (s >> 8) / 65536.0 - 128;
    if (i % 3 == 0) x /= 128;
    if (i % 11 == 0) x *= 1e9;
    if (i % 13 == 0) x /= 1e9;
    printf("%a %a %a %a %a\n", x, asinh(x), acosh(fabs(x) + 1), atanh(fmod(x, 1)), cbrt(x));
  }
  const char *text = "hello";
  printf("%d\n", (int)((const char *)memchr(text, 0x6c, 1000) - text));
  return 0;
}
