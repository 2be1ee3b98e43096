// not_there: storage of which nobody knows that it is there where the condition never holds.
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

/* `b` is touched in the step `when`, which may not come. */
static void kernel_when(double *restrict a, double *restrict b, int n, int steps, int when)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 a[i], +2 a[i]), because a[i] is changed in every step
        for (int i = 0; i < n; i++) // loop: parallel
            a[i] = 1 - a[i];
        if (t == when) {
            for (int i = 0; i < n; i++) // loop: parallel
                b[i] = a[i] - b[i];
        }
    }
}

/* The row `when` of `b` is there if the step comes. */
static void kernel_row(double *restrict b, int n, int steps, int when)
{
    for (int t = 0; t < steps; t++) // loop: sequential, pair(+3 b[when * n + i], +3 b[when * n + i]), because b[when * n + i] may be changed in every step
        if (t >= when)
            for (int i = 0; i < n; i++) // loop: parallel
                b[when * n + i] = i - b[when * n + i];
}

/* The longer section is needed in some steps only. */
static void kernel_longer(double *restrict a, int n, int m, int steps, int from)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+3 a[i], +3 a[i]), because a[i] is changed in every step
        if (t >= from) {
            for (int i = 0; i < m; i++) // loop: parallel
                a[i] = 2 - a[i];
        } else {
            for (int i = 0; i < n; i++) // loop: parallel
                a[i] = 1 - a[i];
        }
    }
}

/* The size is known, and shorter than what would be touched if the step came. */
static void kernel_sized(int m, int steps, int from)
{
    double *a = malloc(9 * sizeof *a);
    fill(a, 9, 2);
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+5 a[i], +5 a[i]), because a[i] is changed in every step
        if (t >= from)
            for (int i = 0; i < m; i++) // loop: parallel
                a[i] = 2 - a[i];
        for (int i = 0; i < 9; i++) // loop: parallel
            a[i] = 1 - a[i];
    }
    show("sized", a, 9);
    free(a);
}

/* The host sets an element in some step: it is not there if that does not come. */
static void kernel_set(double *restrict a, int n, int steps, int when, int k)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+4 a[i], +4 a[i]), because a[i] is changed in every step
        if (t == when)
            a[k] = 7;
        for (int i = 0; i < n; i++) // loop: parallel
            a[i] = 1 - a[i];
    }
}

/* Where the kernels do not run, the pointer leads nowhere. */
static void kernel_jumped(double *restrict a, int n, int steps, int from)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+4 a[i], +4 a[i]), because a[i] is changed in every step
        if (t < from)
            continue;
        for (int i = 0; i < n; i++) // loop: parallel
            a[i] = 1 - a[i];
    }
}

/* It is left before the kernel comes. */
static void kernel_left(double *restrict a, int n, int steps, int until)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+4 a[i], +4 a[i]), because a[i] is changed in every step
        if (t >= until)
            break;
        for (int i = 0; i < n; i++) // loop: parallel
            a[i] = 1 - a[i];
    }
}

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    fill(a, N, 3);
    fill(b, N, 5);
    kernel_when(a, b, N, STEPS, 2);
    kernel_when(a, NULL, N, STEPS, STEPS);
    show("when", a, N);
    show("when", b, N);
    kernel_row(b, N, STEPS, 0);
    kernel_row(b, N, STEPS, 1000);
    kernel_row(NULL, N, STEPS, STEPS);
    show("row", b, N);
    kernel_longer(a, N - 9, N, STEPS, 1);
    double *s = malloc(9 * sizeof *s);
    fill(s, 9, 2);
    kernel_longer(s, 9, 1000000, STEPS, STEPS);
    show("longer", a, N);
    show("longer", s, 9);
    kernel_sized(9, STEPS, 0);
    kernel_sized(100000000, STEPS, STEPS);
    kernel_set(a, N, STEPS, 1, 0);
    kernel_set(a, N, STEPS, STEPS, 100000000);
    show("set", a, N);
    kernel_jumped(a, N, STEPS, 1);
    kernel_jumped(NULL, N, STEPS, STEPS);
    show("jumped", a, N);
    kernel_left(a, N, STEPS, 2);
    kernel_left(NULL, N, STEPS, 0);
    show("left", a, N);
    free(s);
    free(a);
    free(b);
    return 0;
}
