// same_pointer_twin: two pointers that may be the same; even then an iteration takes only what is its own.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N], b[N];

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

void kernel_both(int n, int *v, int *w)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if
        int j = i;
        v[i] = v[i] * 2 % 13 + 1;
        w[j] = w[j] * 3 % 17 + i;
    }
}

int kernel_product(int n, const int *v, const int *w)
{
    int sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += v[i] * w[i];
    return sum;
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    kernel_both(N, a, b);
    printf("%d\n", kernel_product(N, a, b));
    printf("%d\n", kernel_product(N, a, a));
    printf("%d\n", kernel_product(N - 2, a, a + 2));
    kernel_both(N, a, a);
    kernel_both(N - 1, b, b + 1);
    kernel_both(0, a, a);
    show("a", a, N);
    show("b", b, N);
    return 0;
}
