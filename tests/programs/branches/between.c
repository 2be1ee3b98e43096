// between: what the host does with data of the kernels in the condition and in the other branch.
// sizes: -DN=83 -DSTEPS=6
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

static double field[N];

/* The condition reads what the kernel has written. */
static void kernel_asked(double *restrict a, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+5 a[0], +1 a[0]), because a[i] is changed in every step
        if (a[0] < 20) {
            for (int i = 0; i < n; i++) // loop: parallel
                a[i] += 7;
        } else {
            a[0] = a[0] * 0.5;
        }
    }
}

/* The host sets an element in the other branch, and reads it in a third. */
static double kernel_element(int steps)
{
    double seen = 0;
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+5 field[4], +5 field[4]), because field[i] is changed in every step
        if (t % 3 == 0) {
            for (int i = 0; i < N; i++) // loop: parallel
                field[i] += t;
        } else if (t % 3 == 1) {
            field[4] = t;
        } else {
            seen = field[5];
            field[6] = seen + 1;
        }
    }
    return seen;
}

/* An update that is made only if something else holds, in a statement and in a branch without braces. */
static void kernel_lazy(int steps, int use)
{
    double last = 1;
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+5 field[i], +5 field[i]), because field[i] is changed in every step
        last = use ? field[3] : last;
        if (use)
            field[2] = last;
        for (int i = 0; i < N; i++) // loop: parallel
            field[i] += 1;
    }
    field[0] = last;
}

/* The host goes over all of it in some steps. */
static void kernel_whole(int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+3 field[i], +3 field[i]), because field[i] is changed in every step
        if (t % 2) {
            for (int i = 1; i < N; i++) // loop: sequential, pair(+1 field[i], +1 field[i - 1]), because field[i - 1] is written by the iteration before
                field[i] += field[i - 1] > 3;
        } else {
            for (int i = 0; i < N; i++) // loop: parallel
                field[i] += 1;
        }
    }
}

/* What one kernel leaves for the other, in the same step and in the next. */
static void kernel_handed(double *restrict a, double *restrict b, int n, int steps, int use)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+6 a[i], +6 a[i]), because b[i] is read from the step before
        if (use) {
            for (int i = 0; i < n; i++) // loop: parallel
                b[i] = a[i] + t;
        }
        for (int i = 0; i < n; i++) // loop: parallel
            a[i] = b[i] * 0.5;
    }
}

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    fill(a, N, 3);
    fill(b, N, 5);
    fill(field, N, 7);
    kernel_asked(a, N, STEPS);
    show("asked", a, N);
    printf("seen %g\n", kernel_element(STEPS));
    show("element", field, N);
    kernel_lazy(STEPS, 1);
    kernel_lazy(STEPS, 0);
    show("lazy", field, N);
    kernel_whole(STEPS);
    show("whole", field, N);
    kernel_handed(a, b, N, 3, 1);
    show("handed", a, N);
    kernel_handed(a, b, N, 2, 0);
    show("handed", a, N);
    show("handed", b, N);
    free(a);
    free(b);
    return 0;
}
