// buffers: two and three buffers that change roles from step to step, in odd and even numbers of steps.
// sizes: -DN=61 -DSTEPS=4
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 37
#endif
#ifndef STEPS
#define STEPS 3
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

static void refill(double *a, double *b, double *c, int n)
{
    fill(a, n, 3);
    fill(b, n, 5);
    fill(c, n, 7);
}

/* Smooths in place of what was there: where it ends depends on the number of steps. */
static void kernel_two(double *now, double *next, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 next[i]), because each step reads what the one before it wrote
        for (int i = 1; i < n - 1; i++) // loop: parallel_if
            next[i] = (now[i - 1] + now[i + 1]) * 0.5;
        double *swap = now;
        now = next;
        next = swap;
    }
}

/* A wave: the oldest of three is overwritten. */
static void kernel_three(double *old, double *now, double *next, int n, int steps)
{
    double *swap;
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 next[i]), because each step reads what the two before it wrote
        for (int i = 1; i < n - 1; i++) // loop: parallel_if
            next[i] = (now[i - 1] + now[i + 1]) * 0.5 + now[i] - old[i];
        swap = old;
        old = now;
        now = next;
        next = swap;
    }
}

/* Two kernels in a step, and the pointers are exchanged in between. */
static void kernel_between(double *now, double *next, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 now[i - 1]), because each step reads what the one before it wrote
        for (int i = 1; i < n; i++) // loop: parallel_if
            next[i] = now[i - 1] + now[i];
        double *swap = now;
        now = next;
        next = swap;
        for (int i = 0; i < n - 1; i++) // loop: parallel_if
            next[i] = now[i + 1] * 0.5;
    }
}

/* Each buffer is written before it is read in the text, and read before it is written in the first step; nobody touches the first two elements. */
static void kernel_written(double *now, double *next, double *force, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+4 force[i], +4 force[i]), because each step reads what the one before it wrote
        for (int i = 2; i < n; i++) // loop: parallel_if
            next[i] = force[i] + t;
        for (int i = 2; i < n; i++) // loop: parallel_if
            force[i] = now[i] * 0.5;
        double *swap = now;
        now = next;
        next = swap;
    }
}

/* One of them begins inside its array. */
static void kernel_shifted(double *a, double *b, int n, int steps)
{
    double *now = a + 2, *next = b;
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 next[i]), because each step reads what the one before it wrote
        for (int i = 1; i < n - 3; i++) // loop: parallel_if
            next[i] = (now[i - 1] + now[i + 1]) * 0.5;
        double *swap = now;
        now = next;
        next = swap;
    }
}

/* The host sets the border in every step. */
static void kernel_border(double *now, double *next, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 now[i - 1]), because each step reads what the one before it wrote
        for (int i = 1; i < n - 1; i++) // loop: parallel_if
            next[i] = (now[i - 1] + now[i + 1]) * 0.5;
        next[0] = next[n - 2];
        next[n - 1] = next[1];
        double *swap = now;
        now = next;
        next = swap;
    }
}

/* Until nothing changes much. */
static int kernel_until(double *now, double *next, int n, double least)
{
    int steps = 0;
    double change = least + 1;
    while (change > least && steps < 9) { // loop: sequential, pair(+3 next[i], +3 now[i - 1]), because each step reads what the one before it wrote
        change = 0;
        for (int i = 1; i < n - 1; i++) { // loop: parallel_if, reduction(max:change)
            next[i] = (now[i - 1] + now[i + 1]) * 0.5;
            double own = next[i] > now[i] ? next[i] - now[i] : now[i] - next[i];
            if (own > change)
                change = own;
        }
        double *swap = now;
        now = next;
        next = swap;
        steps++;
    }
    return steps;
}

/* Buffers of its own; what each step changed is summed up on the device. */
static double kernel_own(const double *from, double *to, int n, int steps)
{
    double *now = malloc((size_t)n * sizeof *now), *next = malloc((size_t)n * sizeof *next);
    double changed = 0;
    if (!now || !next)
        exit(1);
    for (int i = 0; i < n; i++) { // loop: parallel
        now[i] = from[i];
        next[i] = from[i];
    }
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 now[i - 1]), because each step reads what the one before it wrote
        for (int i = 1; i < n - 1; i++) // loop: parallel
            next[i] = (now[i - 1] + now[i + 1]) * 0.5;
        changed = 0;
        for (int i = 1; i < n - 1; i++) // loop: parallel, reduction(+:changed)
            changed += next[i] - now[i];
        double *swap = now;
        now = next;
        next = swap;
    }
    for (int i = 0; i < n; i++) // loop: parallel_if
        to[i] = now[i];
    free(now);
    free(next);
    return changed;
}

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *c = malloc(N * sizeof *c);
    double *both = malloc((2 * N + 1) * sizeof *both);
    if (!a || !b || !c || !both)
        return 1;
    for (int steps = STEPS; steps >= 0; steps--) { // loop: sequential, pair(v[i], v[i]), because all calls share the arrays
        refill(a, b, c, N);
        kernel_two(a, b, N, steps);
        show("a", a, N);
        show("b", b, N);
        refill(a, b, c, N);
        kernel_three(a, b, c, N, steps);
        show("a", a, N);
        show("b", b, N);
        show("c", c, N);
        refill(a, b, c, N);
        kernel_between(b, c, N, steps);
        show("b", b, N);
        show("c", c, N);
        refill(a, b, c, N);
        kernel_written(a, b, c, N, steps);
        show("a", a, N);
        show("b", b, N);
        show("c", c, N);
        refill(a, b, c, N);
        kernel_shifted(a, b, N, steps);
        show("a", a, N);
        show("b", b, N);
        refill(a, b, c, N);
        kernel_border(b, c, N, steps);
        show("b", b, N);
        show("c", c, N);
        refill(a, b, c, N);
        printf("%d steps\n", kernel_until(b, c, N, steps));
        show("b", b, N);
        show("c", c, N);
        refill(a, b, c, N);
        printf("changed %g\n", kernel_own(a, b, N, steps));
        show("b", b, N);
    }
    /* Buffers that overlap, and two that are the same. */
    fill(both, 2 * N + 1, 3);
    kernel_two(both, both + 3, N, STEPS);
    show("both", both, 2 * N + 1);
    fill(both, 2 * N + 1, 5);
    kernel_two(both, both, N, STEPS);
    show("both", both, 2 * N + 1);
    fill(both, 2 * N + 1, 5);
    kernel_between(both, both + 1, N, STEPS);
    show("both", both, 2 * N + 1);
    fill(both, 2 * N + 1, 5);
    kernel_written(both, both + 2, both + 4, N, STEPS);
    show("both", both, 2 * N + 1);
    fill(both, 2 * N + 1, 5);
    kernel_shifted(both, both + 5, N, STEPS);
    show("both", both, 2 * N + 1);
    fill(both, 2 * N + 1, 5);
    kernel_border(both, both + N - 1, N, STEPS);
    show("both", both, 2 * N + 1);
    fill(both, 2 * N + 1, 5);
    printf("%d steps\n", kernel_until(both, both + 1, N, 1));
    show("both", both, 2 * N + 1);
    fill(both, 2 * N + 1, 5);
    kernel_three(both, both + N, both + N / 2, N, STEPS);
    show("both", both, 2 * N + 1);
    kernel_two(both, both + N, N, STEPS);
    show("both", both, 2 * N + 1);
    free(a);
    free(b);
    free(c);
    free(both);
    return 0;
}
