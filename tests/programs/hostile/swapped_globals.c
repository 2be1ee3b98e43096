// swapped_globals: a local variable holds what a global pointer pointed to before a call swapped it.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int first[N], second[N], c[N];
int *current = first;
int *other = second;

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

void swap(void)
{
    int *t = current;
    current = other;
    other = t;
}

void kernel_old(int n, int *v)
{
    int *q = current;
    for (int i = 0; i < n; i++) // loop: parallel_if
        v[i] = q[i];
    swap();
    for (int i = 0; i < n; i++) // loop: parallel_if
        v[i] += q[i] + (current == NULL);
}

int main(void)
{
    fill(first, N, 5);
    fill(second, N, 3);
    kernel_old(N - 2, c);
    show("c", c, N);
    kernel_old(N, c);
    show("c", c, N);
    kernel_old(N, first);
    show("first", first, N);
    kernel_old(N - 1, second + 1);
    show("second", second, N);
    return 0;
}
