// null_where_nothing_runs: bounds and arrays behind pointers that are null where the loop does not run.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

struct window { int offset, size; };

static int a[N], b[2 * N];

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

void kernel_loop(int n, const struct window *w, int *restrict v, const int *restrict x)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = x[w->offset + i] + 1;
}

void kernel_guarded(int n, int flag, const struct window *w, int *restrict v, const int *restrict x)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        v[i] = i;
        if (flag)
            v[i] = x[w->offset + i] + 1;
    }
}

void kernel_skipped(int times, int n, int *v, int *restrict x)
{
    for (int t = 0; t < times; t++) { // loop: sequential, pair(+4 v[i], +4 v[i]), because v[i] changes in every iteration
        if (v == NULL)
            continue;
        for (int i = 0; i < n; i++) // loop: parallel
            v[i] += x[i];
        for (int i = 0; i < n; i++) // loop: parallel
            x[i] += v[i] % 3;
    }
}

void kernel_left(int times, int n, int *v, int *restrict x)
{
    for (int t = 0; t < times; t++) { // loop: sequential, pair(+4 v[i], +4 v[i]), because it can be left
        if (v == NULL)
            break;
        for (int i = 0; i < n; i++) // loop: parallel
            v[i] += x[i];
        for (int i = 0; i < n; i++) // loop: parallel
            x[i] += v[i] % 3;
    }
}

int main(void)
{
    struct window w = {N / 3, N};
    fill(a, N, 5);
    fill(b, 2 * N, 3);
    kernel_loop(0, NULL, a, b);
    kernel_loop(N, &w, a, b);
    kernel_guarded(N, 0, NULL, a, b);
    kernel_guarded(N, 1, &w, a, b);
    kernel_skipped(3, N, NULL, b);
    kernel_left(3, N, NULL, b);
    kernel_skipped(3, N, a, b);
    kernel_left(3, N, a, b);
    show("a", a, N);
    show("b", b, 2 * N);
    return 0;
}
