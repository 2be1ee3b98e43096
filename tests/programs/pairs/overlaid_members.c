// overlaid_members: two members of a union.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static union {
    int whole[N];
    short half[2 * N];
} v;

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

void kernel_views(void)
{
    for (int i = 0; i < N - 1; i++) // loop: sequential, pair(+1 v.half[i + 1], +1 v.whole[i]), because half and whole are the same bytes
        v.half[i + 1] = v.whole[i] + 1;
}

int main(void)
{
    uint64_t sum = 0;

    fill(v.whole, N, 5);
    kernel_views();
    show("whole", v.whole, N);
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v.half[i] * (uint64_t)(2 * i + 1);
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
