/* Every conversion of printf with flags, widths and precisions. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  double values[] = {0.0, -0.0, 1.0, 0.1, 2.5, 3.5, 123456789.0, 1e-5, 1e-4, 0.00012345678, 1e15, 1e16, 1e100, -1e-100,
                     1.7976931348623157e308, 5e-324, 2.2250738585072014e-308, 999999.5, 9.9999995, 0.5, 1.5, 1.0 / 3, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    double v = values[i];
    printf("[%f] [%e] [%g] [%a]\n", v, v, v, v);
    printf("[%.0f] [%.0e] [%.0g] [%.0a]\n", v, v, v, v);
    printf("[%#.0f] [%#.0e] [%#.0g] [%#.3a]\n", v, v, v, v);
    printf("[%20.3f] [%-20.3e] [%+20.10g] [% 020.4f]\n", v, v, v, v);
    printf("[%.17g] [%.30f] [%.25e] [%G] [%E] [%F] [%A]\n", v, v, v, v, v, v, v);
    printf("[%+.3d] [%5s] [%-5s|]\n", (int)i, "ab", "cd");
  }
  printf("%Lf %Lg %Le %La\n", 1.5L, 0.1L, 3.0L, 1.0L);
  printf("%d %i %u %o %x %X %#x %#o %c %%\n", -5, INT_MIN, UINT_MAX, 8, 255, 255, 255, 8, 'x');
  printf("%hhd %hd %ld %lld %zu %td %jd\n", (signed char)-3, (short)-30000, LONG_MIN, LLONG_MAX, sizeof(int), (ptrdiff_t)-7, (intmax_t)9);
  printf("%hhu %hu %lu %llx\n", (unsigned char)300, (unsigned short)70000, ULONG_MAX, 0x123456789abcdefULL);
  printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d] [%.0d]\n", 42, 42, 42, 42, 42, 7, 7, 7, 0);
  printf("[%*d] [%-*d] [%.*f] [%.*s] [%*s]\n", 6, 1, 6, 2, 2, 3.14159, 3, "abcdef", -6, "x");
  printf("[%s] [%10s] [%-10s] [%.2s] [%10.3s]\n", "hello", "right", "left", "cut", "cutting");
  printf("%p %s\n", (void *)0, (char *)0);
  int written;
  printf("12345%n678\n", &written);
  printf("%d\n", written);
  char small[5];
  int n = snprintf(small, sizeof small, "%s", "too long");
  printf("%s %d\n", small, n);
  n = sprintf(small, "%d", 1234);
  printf("%s %d %zu\n", small, n, strlen(small));
  puts("line");
  putchar('a');
  putchar('\n');
  fputs("text\n", stdout);
  fprintf(stdout, "%s\n", "to stdout");
  fprintf(stderr, "%s\n", "to stderr");
  fwrite("abc\n", 1, 4, stdout);
  return 0;
}
