// indirect_write: an indirect subscript of what is written.
// sizes: -DN=101
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N], b[N], index_of[N];

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

void kernel_indirect(void)
{
    for (int i = 0; i < N; i++) { // loop: unknown, pair(+2 a[k], +2 a[i]), because index_of may hold an element twice
        int k = index_of[i];
        a[k] = a[i] * 2 + b[k];
    }
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    for (int i = 0; i < N; i++) // loop: parallel
        index_of[i] = i * i % N;
    kernel_indirect();
    show("a", a, N);
    return 0;
}
