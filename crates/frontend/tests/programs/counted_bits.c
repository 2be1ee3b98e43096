/* Builtins that count bits, of all three lengths, on values with the sign bit and without. */
#include <stdio.h>
int main(void)
{
    unsigned long long state = 88172645463325252ULL;
    for (int i = 0; i < 40; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        unsigned long long value = state >> i | 1;
        int low = (int)value;
        printf("%d %d %d ", __builtin_popcount((unsigned)low), __builtin_popcountl(value), __builtin_popcountll(value));
        printf("%d %d %d ", __builtin_clz((unsigned)low), __builtin_clzl(value), __builtin_clzll(value));
        printf("%d %d %d ", __builtin_ctz((unsigned)low << i % 31), __builtin_ctzl(value << i), __builtin_ctzll(value << i));
        printf("%d %d %d ", __builtin_ffs(low & -4), __builtin_ffsl((long)(value << i)), __builtin_ffsll(0));
        printf("%d %d %d\n", __builtin_parity((unsigned)low), __builtin_parityl(value), __builtin_parityll(value));
    }
    return 0;
}
