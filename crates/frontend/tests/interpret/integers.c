/* Widths, promotions, shifts, bit-fields, 128 bits, conversions. */
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct bits {
  unsigned a : 3;
  signed b : 5;
  unsigned c : 1;
  unsigned long d : 40;
  int : 0;
  unsigned char e : 4, f : 4;
  bool g : 1;
};

union pun {
  float f;
  uint32_t u;
  unsigned char bytes[4];
};

enum colour { RED, GREEN = 5, BLUE, NEGATIVE = -1 };

static uint32_t hash(const char *text) {
  uint32_t h = 2166136261u;
  for (; *text; text++) {
    h ^= (unsigned char)*text;
    h *= 16777619u;
  }
  return h;
}

static void print128(__int128 v) {
  unsigned __int128 u = v < 0 ? -(unsigned __int128)v : (unsigned __int128)v;
  char digits[50];
  int n = 0;
  do {
    digits[n++] = '0' + (int)(u % 10);
    u /= 10;
  } while (u);
  if (v < 0) putchar('-');
  while (n > 0) putchar(digits[--n]);
  putchar('\n');
}

int main(void) {
  signed char sc = -1;
  unsigned char uc = 255;
  short s = -32768;
  unsigned short us = 65535;
  printf("%d %d %d %d\n", sc == uc, sc + 1, uc + 1, us + 1);
  sc = (signed char)200;
  uc += 10;
  us = (unsigned short)-1;
  s = (short)40000;
  printf("%d %d %d %d\n", sc, uc, us, s);
  unsigned u = 0;
  u--;
  printf("%u %d %d\n", u, u > 0, -1 > (int)u);
  printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
  printf("%d %d %u\n", -8 >> 1, 1 << 30, 0x80000000u >> 31);
  printf("%ld %lu\n", LONG_MIN / 2, ULONG_MAX * 3);
  printf("%d %d\n", -1 < 0u, (long)-1 < 0u);
  printf("%u %x\n", ~0u, ~5);
  printf("%d %d\n", !5, !!5);
  int x = 10;
  x += 5, x -= 3, x *= 2, x /= 5, x %= 3, x <<= 4, x >>= 1, x |= 3, x &= 6, x ^= 5;
  printf("%d\n", x);
  struct bits b = {5, -3, 1, 0xabcdef1234, 9, 6, true};
  b.a += 6;
  b.b--;
  b.d <<= 4;
  b.e = b.f + 12;
  printf("%d %d %d %lx %d %d %d %zu\n", b.a, b.b, b.c, (unsigned long)b.d, b.e, b.f, b.g, sizeof b);
  b.b = 15;
  b.b++;
  printf("%d\n", b.b);
  union pun p = {.f = 1.5f};
  printf("%x %d %d\n", p.u, p.bytes[3], p.bytes[2]);
  p.u = 0x40490fdb;
  printf("%.6f\n", p.f);
  enum colour colour = BLUE;
  printf("%d %d %zu\n", colour, NEGATIVE, sizeof colour);
  bool flag = 42;
  flag += 5;
  printf("%d %d\n", flag, (bool)0.5);
  printf("%u\n", hash("the quick brown fox"));
  __int128 big = (__int128)LONG_MAX * LONG_MAX;
  print128(big);
  print128(-big / 1000);
  print128((big >> 3) % 1000000007);
  print128((__int128)-5 * 7 + (big > 0) + (big < -big));
  unsigned __int128 wide = ~(unsigned __int128)0;
  print128((__int128)(wide >> 1));
  printf("%.10g %.10g\n", (double)big, (double)wide);
  printf("%d %ld %u %d\n", (int)3.99, (long)-1e15, (unsigned)4e9, (signed char)-3.5f);
  printf("%.1f %.1f %.9g\n", (double)ULONG_MAX, (double)LONG_MIN, (float)16777217);
  printf("%d %d %d\n", abs(-5), (int)labs(-6L), (int)(INT_MIN + 1));
  printf("%d\n", (int)sizeof(char[3][5]));
  div_t d = div(17, 5);
  printf("%d %d\n", d.quot, d.rem);
  printf("%d %d %d %d\n", __builtin_popcount(255), __builtin_clz(1), __builtin_ctz(8), __builtin_popcountll(-1LL));
  long sum = 0;
  for (unsigned char c = 250; c != 3; c++) sum += c;
  printf("%ld\n", sum);
  for (int8_t i = 120; i > 0; i++) sum++;
  printf("%ld\n", sum);
  uint64_t state = 88172645463325252ULL;
  for (int i = 0; i < 100; i++) state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  printf("%llu\n", (unsigned long long)state);
  int i = 5;
  int j = i++ + 10;
  int k = --i * 2;
  printf("%d %d %d\n", i, j, k);
  printf("%d\n", (i > 3, j < 2) ? 1 : (k == 10 ? 2 : 3));
  return (i << 5) & 0xff;
}
