// bound_in_memory: a bound behind a pointer.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

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

void kernel_bound(const int *n, int *a)
{
    for (int i = 0; i < *n; i++) // loop: parallel_if // the bound must not lie in a[0 .. *n - 1]
        a[i] = i % 5 + 20;
}

int main(void)
{
    static int a[N + 30];
    int n = N;

    fill(a, N + 30, 5);
    kernel_bound(&n, a);
    show("apart", a, N + 30);
    n = 0;
    kernel_bound(&n, a);
    n = -3;
    kernel_bound(&n, a);
    show("n <= 0", a, N + 30);

    /* The bound is element 10 of the array, or lies just behind its section. */
    fill(a, N + 30, 5);
    a[10] = 30;
    kernel_bound(&a[10], a);
    show("inside", a, N + 30);
    a[15] = 15;
    kernel_bound(&a[15], a);
    show("behind", a, N + 30);
    return 0;
}
