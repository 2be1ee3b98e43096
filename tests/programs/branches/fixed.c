// fixed: kernels under conditions that the loop around them does not change, and storage that is only there where they hold.
// sizes: -DN=83 -DSTEPS=4
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 67
#endif
#ifndef STEPS
#define STEPS 5
#endif

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g last %g\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

static void fill(double *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 5) % 13 - 6;
}

/* Only where `use` is set there is something behind `b`. */
static void kernel_used(double *restrict a, const double *restrict b, int n, int steps, int use)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+6 a[i], +6 a[i]), because a[i] is changed in every step
        if (use) {
            for (int i = 0; i < n; i++) // loop: parallel
                a[i] = b[i] - a[i];
        }
        for (int i = 0; i < n; i++) // loop: parallel
            a[i] = 1 - a[i];
    }
}

/* One of two, each with storage of its own. */
static void kernel_either(double *restrict a, double *restrict b, int n, int steps, int which)
{
    for (int t = 0; t < steps; t++) // loop: sequential, pair(+3 a[i], +3 a[i]), because a[i] and b[i] are changed in every step
        if (which > 0)
            for (int i = 0; i < n; i++) // loop: parallel
                a[i] = t - a[i];
        else
            for (int i = 0; i < n; i++) // loop: parallel
                b[i] = 2 * t - b[i];
}

/* Nested, with a longer section inside. */
static void kernel_nested(double *restrict a, int n, int m, int steps, int one, int two)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+3 a[i], +3 a[i]), because a[i] is changed in every step
        if (one) {
            for (int i = 0; i < n; i++) // loop: parallel
                a[i] = 2 - a[i];
            if (two == t - t + 1) {
                for (int i = 0; i < m; i++) // loop: parallel
                    a[i] = 3 - a[i];
            }
        }
    }
}

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    fill(a, N, 3);
    fill(b, N, 5);
    kernel_used(a, b, N, STEPS, 1);
    show("used", a, N);
    kernel_used(a, NULL, N, STEPS, 0);
    show("not used", a, N);
    kernel_used(NULL, b, N, 0, 1);
    kernel_either(a, NULL, N, STEPS, 1);
    show("one", a, N);
    kernel_either(NULL, b, N, STEPS, 0);
    show("the other", b, N);
    double *s = malloc(9 * sizeof *s);
    fill(s, 9, 2);
    kernel_nested(s, 9, N, STEPS, 1, 0);
    show("short", s, 9);
    kernel_nested(a, N - 5, N, STEPS, 1, 1);
    show("long", a, N);
    kernel_nested(NULL, N, N, STEPS, 0, 1);
    free(s);
    free(a);
    free(b);
    return 0;
}
