// scalar_conditional: a scalar that is assigned in some iterations before it is used.
// sizes: -DN=101
// variants: long unsigned split
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

void kernel_last_positive(void)
{
    int t = 7;
    for (int i = 0; i < N; i++) { // loop: sequential, pair(+3 t = a[i], +6 t), because t keeps its value where a[i] <= 0
        int u = i;
        if (a[i] > 0)
            t = a[i];
        else
            u = -a[i];
        b[i] = t * 10 + u;
    }
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    kernel_last_positive();
    show("b", b, N);
    return 0;
}
