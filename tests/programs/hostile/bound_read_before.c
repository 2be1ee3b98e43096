// bound_read_before: bounds that were read in memory which has another value by the time of the loop.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int limit;
static int a[2 * N], b[2 * N], c[2 * N];

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_global(int *restrict v)
{
    int n = limit * 2;
    limit = 1;
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = i;
}

void kernel_element(int *restrict index, int *restrict v)
{
    int n = index[0] * 2;
    index[0] = 1;
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = 2 * i;
}

void kernel_subscript(int *restrict index, int *restrict v)
{
    int k = 0;
    int n = index[k] * 2;
    k = 3;
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = 3 * i + k;
}

void kernel_name(int nn, int *restrict v)
{
    int m;
    nn *= 2;
    m = nn;
    nn = 3;
    for (int i = 0; i < m; i++) // loop: parallel
        v[i] += nn;
}

int main(void)
{
    int index[4] = {N - 1, 1, 1, 2};
    limit = N - 3;
    kernel_global(a);
    kernel_element(index, b);
    index[0] = N - 2;
    kernel_subscript(index, c);
    kernel_name(N - 5, a);
    show("a", a, 2 * N);
    show("b", b, 2 * N);
    show("c", c, 2 * N);
    printf("limit %d index %d\n", limit, index[0]);
    return 0;
}
