// old_style: an old-style function definition whose parameter is a pointer to one counter.
// sizes: -DN=101
// flags: -Wno-deprecated-non-prototype
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[N], b[N];
static int counter[N];

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

static int bump(place, by)
    int *place;
    int by;
{
    *place = *place + by;
    return *place;
}

void kernel_bump(void)
{
    for (int i = 0; i < N; i++) // loop: sequential, pair(*place, *place), because every call changes counter[0] and uses it
        b[i] = bump(&counter[0], a[i]);
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    kernel_bump();
    show("b", b, N);
    show("counter", counter, N);
    return 0;
}
