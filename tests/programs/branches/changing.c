// changing: kernels under conditions that change from step to step: never, always, in turn, in the last step only.
// sizes: -DN=83 -DSTEPS=7
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

static double field[N], force[N];

/* Every other step, every third of the others. */
static void kernel_in_turn(int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+3 field[i], +3 field[i]), because field[i] is changed in every step
        if (t % 2 == 0) {
            for (int i = 0; i < N; i++) // loop: parallel
                field[i] += i + t;
        } else if (t % 3 == 0) {
            for (int i = 0; i < N; i++) // loop: parallel
                field[i] -= force[i];
        } else {
            for (int i = 0; i < N; i++) // loop: parallel
                force[i] += 2 * field[i];
        }
    }
}

/* Nothing but the kernel in the last step writes `field`: what is there stays, if it never runs. */
static void kernel_last(int steps, int last)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 force[i], +2 force[i]), because field[i] is written in every step
        for (int i = 0; i < N; i++) // loop: parallel
            force[i] += 1;
        if (t == last)
            for (int i = 0; i < N; i++) // loop: parallel
                field[i] = force[i];
    }
}

/* The condition is of floating-point numbers, which the loop changes on the host. */
static void kernel_measured(double *restrict a, int n, double limit)
{
    double residual = 64;
    while (residual > 1) { // loop: sequential, pair(+6 a[i], +6 a[i]), because residual is the one of the step before
        if (residual < limit) {
            for (int i = 0; i < n; i++) // loop: parallel
                a[i] += residual;
        }
        for (int i = 0; i < n; i++) // loop: parallel
            a[i] -= 1;
        residual /= 2;
    }
}

/* Storage of known size, allocated here. */
static void kernel_allocated(const char *name, int n, int steps, int from)
{
    double *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b);
    fill(a, n, 7);
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+3 b[i], +7 b[i]), because b[i] is changed in every step
        if (t >= from) {
            for (int i = 0; i < n; i++) // loop: parallel
                b[i] += a[i];
        }
        if (t + 1 == steps) {
            for (int i = 0; i < n; i++) // loop: parallel
                a[i] = b[i] + 1;
        }
    }
    show(name, a, n);
    show(name, b, n);
    free(a);
    free(b);
}

int main(void)
{
    fill(field, N, 3);
    fill(force, N, 5);
    kernel_in_turn(STEPS);
    show("field", field, N);
    kernel_in_turn(0);
    kernel_last(STEPS, STEPS - 1);
    show("last", field, N);
    kernel_last(STEPS, STEPS);
    show("never", field, N);
    kernel_last(STEPS, -1);
    show("never", field, N);
    show("force", force, N);
    kernel_measured(field, N, 0);
    kernel_measured(field, N, 16);
    kernel_measured(field, N, 65);
    show("measured", field, N);
    kernel_allocated("always", N, STEPS, 0);
    kernel_allocated("late", N, STEPS, STEPS - 1);
    kernel_allocated("never", N, STEPS, STEPS);
    return 0;
}
