// fall_through: a switch whose first case falls into the second, which uses a scalar of earlier iterations.
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

int kernel_switch(void)
{
    int t = 9, m = 0;
    for (int i = 0; i < N; i++) { // loop: sequential, pair(+4 t = u * 2, +8 t), because case 1 uses the t of an earlier iteration
        int u = a[i] + i;
        switch (i * i % 3) {
        case 0:
            t = u * 2;
            m += t;
            /* fall through */
        case 1:
            b[i] = t;
            break;
        default:
            b[i] = 0;
        }
    }
    return m;
}

int main(void)
{
    int m;

    fill(a, N, 5);
    fill(b, N, 3);
    m = kernel_switch();
    show("b", b, N);
    printf("%d\n", m);
    return 0;
}
