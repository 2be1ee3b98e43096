// not_a_sum: an update that is not associative: the difference of an element and the result.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N];

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

int kernel_alternate(void)
{
    int s = 100;
    for (int i = 0; i < N; i++) // loop: sequential, pair(+1 s = a[i] - s, +1 s), because s = a[i] - s is not a reduction
        s = a[i] - s;
    return s;
}

int main(void)
{
    fill(a, N, 5);
    printf("%d\n", kernel_alternate());
    return 0;
}
