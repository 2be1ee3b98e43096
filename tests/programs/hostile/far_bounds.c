// far_bounds: loops whose bounds are farther apart than the type of their variable can say, in which compilers count iterations: some lose all of them.
#include <stdio.h>

static int a[256], b[65536], c[16], d[64], e[8][200];

void kernel_bytes(void)
{
    for (signed char i = -100; i < 100; i++) // loop: parallel
        a[i + 128] = i;
    for (signed char i = 120; i >= -120; i--) // loop: parallel
        a[i + 128] += 3;
}

void kernel_shorts(short low, short high)
{
    for (short i = low; i < high; i++) // loop: parallel
        b[i + 32768] = i;
}

void kernel_steps(void)
{
    for (int i = -2000000000; i < 2000000000; i += 500000000) // loop: parallel
        c[i / 500000000 + 4] = i / 1000;
}

/* These are close enough, or begin at zero. */
void kernel_near(int low, int high)
{
    for (signed char i = 0; i < 64; i++) // loop: parallel
        d[i] = 2 * i;
    for (short i = -32; i < 32; i++) // loop: parallel
        d[i + 32] += i;
    for (int i = low; i < high; i++) // loop: parallel
        d[i + 32] += 7 * i;
}

/* The outer loop runs by itself: together with the inner one, it would run as often as that. */
void kernel_nested(void)
{
    for (int i = 0; i < 8; i++) // loop: parallel
        for (signed char j = -100; j < 100; j++) // loop: parallel
            e[i][j + 100] = i * j;
}

static long checksum(const int *v, int n)
{
    long h = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:h)
        h += v[i] * (2L * i + 1);
    return h;
}

int main(void)
{
    kernel_bytes();
    kernel_shorts(-30000, 30000);
    kernel_steps();
    kernel_near(-32, 32);
    kernel_nested();
    printf("%ld %ld %ld %ld\n", checksum(a, 256), checksum(b, 65536), checksum(c, 8), checksum(d, 64));
    printf("%d %d %d %d %d %ld\n", a[28], b[2768], c[0], d[63], e[7][0], checksum(e[5], 200));
    return 0;
}
