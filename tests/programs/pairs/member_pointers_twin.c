// member_pointers_twin: two pointers in a structure, to two arrays.
// sizes: -DN=101
// variants: long
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

struct views {
    const int *in;
    int *out;
};

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

static void kernel_views(const struct views *v)
{
    for (int i = 0; i < N; i++) // loop: parallel // parallel_if, where pointers in memory are not followed
        v->out[i + 1] = v->in[i] + 1;
}

int main(void)
{
    struct views v;

    v.in = a;
    v.out = b;
    fill(a, N + 1, 5);
    fill(b, N + 1, 3);
    kernel_views(&v);
    show("a", a, N + 1);
    show("b", b, N + 1);
    return 0;
}
