// own_induction_variable: a loop that changes its own induction variable.
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

void kernel_skip(void)
{
    for (int i = 0; i < N; i++) { // loop: sequential, pair(+0 i++, +0 i), because i changes in the body
        int k = i;
        b[i] = a[i] * 2 + k;
        if (a[i] > 3)
            i++;
    }
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    kernel_skip();
    show("a", a, N);
    show("b", b, N);
    return 0;
}
