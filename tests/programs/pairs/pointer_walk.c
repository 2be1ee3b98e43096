// pointer_walk: a walk of two pointers, the second in the same array.
// sizes: -DN=101
// variants: long
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N + 1], b[N + 1];

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_walk(void)
{
    int *from = a;
    int *to = a + 1;
    int n = N;
    while (n-- > 0) // loop: sequential, pair(+1 *to++, +1 *from++), because *to is the next *from
        *to++ = *from++ + 1;
}

int main(void)
{
    fill(a, N + 1, 5);
    fill(b, N + 1, 3);
    kernel_walk();
    show("a", a, N + 1);
    show("b", b, N + 1);
    return 0;
}
