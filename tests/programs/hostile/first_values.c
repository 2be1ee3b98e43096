// first_values: loops whose first value is read in their heads, through a pointer to a scalar and by its name.
// sizes: -DN=67
// not: reversed
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 101
#endif

static int from = 5;

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

// A pointer leads to the variable: a kernel's copy of it does not lie there.
int kernel_through(int w, const int *restrict a, int *restrict b)
{
    int k = w;
    int *at = &k;
    int i;
    for (i = *at - 1; i >= 0; i--) // loop: parallel
        b[i] = a[i] + 3;
    for (i = at[0]; i < N; i++) // loop: parallel
        b[i] = a[i] - 3;
    return *at;
}

// It leads to one of the file.
int kernel_file(const int *restrict a, int *restrict b)
{
    int *at = &from;
    for (int i = *at; i < N; i++) // loop: parallel
        for (int j = 0; j < 3; j++) // loop: parallel, reduction(+:b[i])
            b[i] += a[i] / 2;
    return *at;
}

// By their names they are copied.
int kernel_named(int w, const int *restrict a, int *restrict b)
{
    int k = w;
    int *at = &k;
    for (int i = k; i < N; i++) // loop: parallel
        b[i] += a[i];
    for (int i = from; i < N; i++) // loop: parallel
        b[i] -= a[i] * 2;
    return *at;
}

int main(void)
{
    static int a[N], b[N];
    fill(a, N, 7);
    printf("%d", kernel_through(20, a, b));
    printf(" %d", kernel_file(a, b));
    printf(" %d\n", kernel_named(9, a, b));
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)b[i] * (uint64_t)(2 * i + 1);
    printf("b %016llx\n", (unsigned long long)sum);
    return 0;
}
