// narrow_sums: sums and products in types narrower than int, of which a compiler adds the copies without a conversion.
// sizes: -DN=101
#include <stdio.h>

#ifndef N
#define N 37
#endif

static short a[N];
static unsigned char u[N];

int kernel_product(void)
{
    short t = 3;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(*:t)
        t = (short)(t * (a[i] | 1));
    return t;
}

int kernel_sum(void)
{
    short t = 30000;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:t)
        t += a[i] * 900;
    return t;
}

int kernel_bytes(void)
{
    signed char t = 100;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:t)
        t -= a[i];
    return t;
}

/* Taken: without a sign nothing overflows, and a greatest value is one of those that were there. */
int kernel_unsigned(void)
{
    unsigned char t = 200;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:t)
        t += u[i];
    return t;
}

int kernel_greatest(void)
{
    short m = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(max:m)
        m = a[i] > m ? a[i] : m;
    return m;
}

int main(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        a[i] = (short)(i * 37 % 101);
        u[i] = (unsigned char)(i * 5);
    }
    printf("%d %d %d %d %d\n", kernel_product(), kernel_sum(), kernel_bytes(), kernel_unsigned(), kernel_greatest());
    return 0;
}
