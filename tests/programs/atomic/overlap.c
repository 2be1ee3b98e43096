// overlap: a histogram whose keys may lie in the histogram itself: a condition beside the atomic updates.
// sizes: -DN=301
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 119
#endif

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_overlap(int n, const int *keys, int *bins)
{
    for (int i = 0; i < n; i++) // loop: parallel_if, atomic(+:bins)
        bins[keys[i] & 31] += 1;
}

void kernel_two(int n, const int *restrict keys, int *bins, int *others)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if, atomic(+:bins), atomic(+:others)
        bins[keys[i] & 31] += 1;
        others[keys[n - 1 - i] & 31] += 2;
    }
}

void kernel_restrict(int n, const int *restrict keys, int *restrict bins)
{
    for (int i = 0; i < n; i++) // loop: parallel, atomic(+:bins)
        bins[keys[i] & 31] += 1;
}

int main(void)
{
    int *keys = malloc((N + 32) * sizeof *keys), *bins = calloc(64, sizeof *bins);
    if (!keys || !bins)
        return 1;
    for (int i = 0; i < N + 32; i++) // loop: parallel
        keys[i] = i * 5 + i / 4;
    kernel_overlap(N, keys, bins);
    kernel_two(N, keys, bins, bins + 32);
    kernel_restrict(N, keys, bins);
    kernel_overlap(N, keys, keys + N - 16);
    kernel_two(N, keys, bins, bins + 16);
    show("keys", keys, N + 32);
    show("bins", bins, 64);
    free(keys);
    free(bins);
    return 0;
}
