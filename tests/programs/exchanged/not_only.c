// not_only: pointers that a loop changes and does not only exchange, or whose storage something else touches: their data may not stay on the device around it.
// sizes: -DN=61 -DSTEPS=4
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef STEPS
#define STEPS 5
#endif

static void show(const char *name, const unsigned *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %u last %u\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

static void fill(unsigned *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (unsigned)((i * step + i / 5) % 13);
}

/* In some steps only. */
static void kernel_sometimes(unsigned *now, unsigned *next, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 next[i]), because each step reads what the one before it wrote
        for (int i = 1; i < n - 1; i++) // loop: parallel_if
            next[i] = now[i - 1] + now[i + 1];
        if (t % 3 != 1) {
            unsigned *swap = now;
            now = next;
            next = swap;
        }
    }
}

/* One half of the exchange is left out in some steps: both are the same buffer then. */
static void kernel_half(unsigned *now, unsigned *next, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 next[i]), because each step reads what the one before it wrote
        for (int i = 1; i < n - 1; i++) // loop: parallel_if
            next[i] = now[i - 1] + now[i + 1];
        unsigned *swap = now;
        now = next;
        if (t == 2)
            continue;
        next = swap;
    }
}

/* The kernel runs between the two halves. */
static void kernel_inside(unsigned *now, unsigned *next, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+4 next[i], +4 now[i]), because each step reads what the one before it wrote
        unsigned *swap = now;
        now = next;
        for (int i = 1; i < n - 1; i++) // loop: parallel
            next[i] = now[i] + 1;
        next = swap;
    }
}

/* Copied, not exchanged: from the second step on there is one buffer. */
static void kernel_copied(unsigned *now, unsigned *next, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 next[i]), because each step reads what the one before it wrote
        for (int i = 1; i < n - 1; i++) // loop: parallel_if
            next[i] = now[i - 1] + now[i + 1];
        now = next;
    }
}

/* Exchanged, and moved on. */
static void kernel_moved(unsigned *now, unsigned *next, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 next[i]), because each step reads what the one before it wrote
        for (int i = 1; i < n - steps; i++) // loop: parallel_if
            next[i] = now[i - 1] + now[i + 1];
        unsigned *swap = now;
        now = next + 1;
        next = swap;
    }
}

/* What is shown in each step has to be on the host. */
static void kernel_shown(unsigned *now, unsigned *next, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 now[i - 1]), because each step reads what the one before it wrote
        for (int i = 1; i < n - 1; i++) // loop: parallel_if
            next[i] = now[i - 1] + now[i + 1];
        show("step", next, n);
        unsigned *swap = now;
        now = next;
        next = swap;
    }
}

/* The first buffer has another name. */
static void kernel_named(unsigned *first, unsigned *second, int n, int steps)
{
    unsigned *now = first, *next = second;
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+6 first[0], +2 first[0]), because each step reads what the one before it wrote
        for (int i = 1; i < n - 1; i++) // loop: parallel_if
            next[i] = now[i - 1] + now[i + 1] + first[0];
        unsigned *swap = now;
        now = next;
        next = swap;
        first[0] = (unsigned)t;
    }
}

/* Both lead into one array. */
static void kernel_halves(unsigned *all, int n, int steps)
{
    unsigned *now = all, *next = all + n;
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 next[i]), because each step reads what the one before it wrote
        for (int i = 1; i < n - 1; i++) // loop: parallel_if
            next[i] = now[i - 1] + now[i + 1];
        unsigned *swap = now;
        now = next;
        next = swap;
    }
}

int main(void)
{
    unsigned *a = malloc(2 * N * sizeof *a), *b = malloc(2 * N * sizeof *b);
    if (!a || !b)
        return 1;
    fill(a, 2 * N, 3);
    fill(b, 2 * N, 5);
    kernel_sometimes(a, b, N, STEPS);
    show("a", a, 2 * N);
    show("b", b, 2 * N);
    kernel_half(a, b, N, STEPS);
    show("a", a, 2 * N);
    show("b", b, 2 * N);
    kernel_inside(a, b, N, STEPS);
    show("a", a, 2 * N);
    show("b", b, 2 * N);
    kernel_copied(a, b, N, STEPS);
    show("a", a, 2 * N);
    show("b", b, 2 * N);
    kernel_moved(a, b, N, STEPS);
    show("a", a, 2 * N);
    show("b", b, 2 * N);
    kernel_shown(a, b, N, STEPS);
    show("a", a, 2 * N);
    show("b", b, 2 * N);
    kernel_named(a, b, N, STEPS);
    show("a", a, 2 * N);
    show("b", b, 2 * N);
    kernel_halves(a, N, STEPS);
    show("a", a, 2 * N);
    /* The ordinary calls make the conditions true; these do not. */
    kernel_sometimes(a, a + 2, N, STEPS);
    kernel_half(a, a + 2, N, STEPS);
    kernel_inside(a, a + 2, N, STEPS);
    kernel_copied(a, a + 2, N, STEPS);
    kernel_moved(a, a + 2, N, STEPS);
    kernel_shown(a, a + 2, N, STEPS);
    kernel_named(a, a + 2, N, STEPS);
    kernel_halves(a, 2, STEPS);
    show("a", a, 2 * N);
    free(a);
    free(b);
    return 0;
}
