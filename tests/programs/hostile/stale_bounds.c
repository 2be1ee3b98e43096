// stale_bounds: values that a bound could be written with, in variables that kernels leave alone or that change between them.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[2 * N], b[2 * N], c[2 * N];

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

/* After the first loop x is n, but a kernel has a private x: the second loop's section must not be written with it. */
void kernel_counter(int n, int *restrict v, int *restrict w)
{
    int x = 1;
    v[0] = x;
    for (x = 0; x < n; x++) // loop: parallel
        v[x] = x;
    printf("between %d\n", v[1]);
    for (x = 0; x < n; x++) // loop: parallel
        w[x] = v[x] + 3;
}

/* The same for a scalar that every iteration sets, and that nothing reads behind the loop. */
void kernel_private(int n, int *restrict v, int *restrict w)
{
    int last = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, private(last)
        last = n - 1;
        v[i] = last - i;
    }
    printf("between %d\n", v[1]);
    for (int i = 0; i < n - 1; i++) // loop: parallel
        w[i] = v[i] + 5;
}

/* The section of v is written in both kernels, and o changes between them. */
void kernel_changed(int n, int s, int *restrict v)
{
    int o = s;
    for (int i = 0; i < n; i++) // loop: parallel
        v[o + i] = i;
    o = o + 1;
    for (int i = 0; i < n; i++) // loop: parallel
        v[s + i] = v[s + i] * 2;
    o = 2 * o;
    v[0] = o;
}

/* The name of the section's first element means something else at the second kernel. */
void kernel_hidden(int n, int s, int *restrict v)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[s + i] = i;
    {
        int from = s;
        int s = 2;
        for (int i = 0; i < n; i++) // loop: parallel
            v[from + i] = v[from + i] * s;
    }
}

int main(void)
{
    kernel_counter(N, a, b);
    show("counter", b, N);
    kernel_private(N, a, c);
    show("private", c, N - 1);
    kernel_changed(N, 7, a);
    show("changed", a, 2 * N);
    kernel_hidden(N, 5, b);
    show("hidden", b, 2 * N);
    return 0;
}
