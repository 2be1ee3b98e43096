/* Widths, signs, promotions, conversions, shifts, division. */
#include <stdio.h>
#include <stdint.h>
#include <limits.h>
static void p(const char *what, long long v) { printf("%s %lld\n", what, v); }
enum color { RED, GREEN = 5, BLUE };
enum big { SMALL = -1, HUGE_ONE = 0x7fffffff };
int main(void) {
  signed char sc = -3; unsigned char uc = 250; short s = -300; unsigned short us = 65535;
  int i = -7; unsigned u = 4000000000u; long l = -5000000000L; unsigned long ul = ULONG_MAX;
  long long ll = LLONG_MIN; _Bool b = 3; char c = 'x';
  p("sc+uc", sc + uc); p("uc*uc", uc * uc); p("us*1", us * 1); p("i/2", i / 2); p("i%2", i % 2); p("i>>1", i >> 1);
  p("u>>1", u >> 1); p("i<u", i < u); p("-1<1u", -1 < 1u); p("sc<uc", sc < uc); p("l/3", l / 3); p("ul", ul == -1UL);
  p("b", b); b = 0.5; p("b", b); b = i; p("b", b + b); b++; p("b", b); b--; p("b--", b);
  uc += 10; p("uc", uc); uc -= 20; p("uc", uc); sc *= 50; p("sc", sc); s <<= 3; p("s", s); us++; p("us", us);
  us--; p("us", us); uc >>= 2; p("uc", uc); i += 2.9; p("i", i); i -= u; p("i", i); l |= 1; p("l", l);
  ll++; p("ll", ll); ul += 2; p("ul", (long long)ul); u = -1; p("u", u); u = i ^ 0x55; p("u", u); p("~u", ~u); p("~uc", ~uc);
  p("!i", !i); p("-uc", -uc); p("+c", +c); p("c", c); p("sizeof", sizeof(c + c)); p("sizeof2", sizeof c); p("enum", BLUE);
  enum color k = GREEN; k++; p("k", k); k = BLUE; p("sizeof k", sizeof k); enum big g = SMALL; p("g", g < 0);
  p("cast", (signed char)200); p("cast2", (unsigned char)-1); p("cast3", (short)70000); p("cast4", (unsigned)-1L);
  p("cast5", (int)3.99); p("cast6", (int)-3.99); p("cast7", (long)1e10); p("cast8", (unsigned char)255.0);
  p("shift", 1u << 31); p("shift2", 1LL << 40); p("mixed", (unsigned char)200 + (signed char)100);
  p("hex", 0xFFFFFFFF); p("hex2", 0x7FFFFFFF); p("oct", 0777); p("char", '\377'); p("multi", '\x41'); p("u8", (uint8_t)300);
  p("int64", INT64_MAX); p("umod", (unsigned)-7 % 3); p("cmp", (i > 0) + (i < 0) * 2); p("tern", i ? 1L : 2u);
  __int128 w = (__int128)LLONG_MAX * 4; p("w", (long long)(w >> 3)); unsigned __int128 uw = ~(unsigned __int128)0; p("uw", uw > 5);
  p("not", ~0 == -1); p("wrap", (unsigned)INT_MAX + 1u); p("neg", -(unsigned)1); unsigned short a = 60000, d = 60000; p("us*", (unsigned)a * d);
  for (unsigned char q = 250; q != 3; q++) i = q; p("q", i); p("INT_MIN", INT_MIN); p("comma", (i = 3, i + 1));
  return 7;
}
