// two_ways: in one branch a kernel, in the other one the host goes over the same data in its own order.
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

static void kernel_sweep(double *restrict in, double *restrict out, int n, int steps, int tiled)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+9 in[i], +9 in[i]), because in[i] and out[i] are changed in every step
        if (!tiled) {
            for (int i = 1; i < n - 1; i++) // loop: parallel
                out[i] += in[i - 1] + in[i + 1];
        } else {
            for (int i = 1; i < n - 1; i++) // loop: sequential, pair(+1 out[i], +1 out[i - 1]), because out[i - 1] is written by the iteration before
                out[i] += in[i - 1] + (out[i - 1] > 4);
        }
        for (int i = 0; i < n; i++) // loop: parallel
            in[i] += 1;
    }
}

/* The sum that is compared would overflow; nobody compares it where no step is made. */
static void kernel_far(double *restrict in, int n, int steps, int a, int b)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+3 in[i], +3 in[i]), because in[i] is changed in every step
        if (a + b > 0) {
            for (int i = 0; i < n; i++) // loop: parallel
                in[i] += 2;
        } else {
            for (int i = 1; i < n; i++) // loop: sequential, pair(+1 in[i], +1 in[i - 1]), because in[i - 1] is written by the iteration before
                in[i] -= in[i - 1] > 3;
        }
    }
}

/* And here a quotient, of which the divisor is 0 where no step is made. */
static void kernel_quotient(double *restrict in, int n, int steps, int a, int b)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+3 in[i], +3 in[i]), because in[i] is changed in every step
        if (a / b > 1) {
            for (int i = 0; i < n; i++) // loop: parallel
                in[i] += 3;
        } else {
            for (int i = 1; i < n; i++) // loop: sequential, pair(+1 in[i], +1 in[i - 1]), because in[i - 1] is written by the iteration before
                in[i] -= in[i - 1] > 2;
        }
    }
}

static int forward;

/* The condition is a variable of the file. */
static void kernel_global(double *restrict in, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+3 in[i], +3 in[i]), because in[i] is changed in every step
        if (forward) {
            for (int i = 0; i < n; i++) // loop: parallel
                in[i] += 5;
        } else {
            for (int i = 1; i < n; i++) // loop: sequential, pair(+1 in[i], +1 in[i - 1]), because in[i - 1] is written by the iteration before
                in[i] -= in[i - 1] > 1;
        }
    }
}

/* Here the loop changes it. */
static void kernel_turned(double *restrict in, int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+8 forward, +1 forward), because in[i] is changed in every step
        if (forward) {
            for (int i = 0; i < n; i++) // loop: parallel
                in[i] += 5;
        } else {
            for (int i = 1; i < n; i++) // loop: sequential, pair(+1 in[i], +1 in[i - 1]), because in[i - 1] is written by the iteration before
                in[i] -= in[i - 1] > 1;
        }
        forward = !forward;
    }
}

int main(void)
{
    double *in = malloc(N * sizeof *in), *out = malloc(N * sizeof *out);
    for (int tiled = 0; tiled < 2; tiled++) { // loop: sequential, pair(v[i], v[i]), because it prints
        fill(in, N, 3);
        fill(out, N, 5);
        kernel_sweep(in, out, N, STEPS, tiled);
        show("in", in, N);
        show("out", out, N);
    }
    kernel_sweep(NULL, NULL, N, 0, 0);
    kernel_far(in, N, STEPS, 3, 4);
    kernel_far(in, N, STEPS, 3, -4);
    kernel_far(in, N, 0, INT32_MAX, INT32_MAX);
    show("far", in, N);
    kernel_quotient(in, N, STEPS, 7, 2);
    kernel_quotient(in, N, STEPS, 1, 2);
    kernel_quotient(in, N, 0, 1, 0);
    show("quotient", in, N);
    kernel_global(in, N, STEPS);
    forward = 1;
    kernel_global(in, N, STEPS);
    show("global", in, N);
    kernel_turned(in, N, STEPS);
    show("turned", in, N);
    free(in);
    free(out);
    return 0;
}
