// sum_of_itself: a sum that adds multiples of itself.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static unsigned a[N];

unsigned kernel_growth(unsigned t)
{
    unsigned s = 1;
    for (int i = 0; i < N; i++) // loop: sequential, pair(+1 s += a[i] * s, +1 s), because what is added to s depends on s
        s += a[i] * s;
    return s + t;
}

int main(void)
{
    for (int i = 0; i < N; i++) // loop: parallel
        a[i] = i * 5u % 7u;
    printf("%u\n", kernel_growth(3));
    return 0;
}
