// macro_loop: loops that come out of macros as a whole; one takes the element that the iteration before wrote.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

#define RANGE(i, low, high) for (int i = (low); i < (high); i++)
#define FOR(i, n) RANGE(i, 0, n)
#define CLEAR(v, n) for (int k = 0; k < (n); k++) (v)[k] = 0
#define DOUBLE(v, n) FOR(k, n) { \
        (v)[k] += (v)[k]; \
    }
#define MOVE(v, w, n) for (int k = 1; k < (n); k++) v[k] = (v)[k - 1] + (w)[k];
#define EACH(i, n) for (int i = 0; i < (n); i++) {
#define DONE }

static int a[N], b[N], c[N];

static void fill(int *v, int n, int step)
{
    FOR(i, n) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_move(void)
{
    CLEAR(c, N); // loop: parallel
    MOVE(a, b, N) // loop: sequential, pair(+0 MOVE(a, b, N), +0 MOVE(a, b, N)), because an iteration reads what the one before writes
    DOUBLE(b, N) // loop: parallel
    EACH(i, N) // loop: parallel
        c[i] += a[i] - b[i];
    DONE
}

int main(void)
{
    fill(a, N, 5);
    fill(b, N, 3);
    fill(c, N, 7);
    kernel_move();
    show("a", a, N);
    show("b", b, N);
    show("c", c, N);
    return 0;
}
