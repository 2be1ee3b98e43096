// pointers: arrays behind pointers that are variables of the file: allocated once, used everywhere, and sometimes set to others in between.
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

static double *field, *next, *spare;
double *weights;
static int *length, cells;

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %.1f last %.1f\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

static void kernel_fill(void)
{
    for (int i = 0; i < cells; i++) { // loop: parallel_if
        field[i] = (i * 7 + i / 5) % 13;
        next[i] = -1.0;
        spare[i] = i % 5;
    }
    for (int i = 0; i < cells; i++) // loop: parallel
        length[i] = (i * 3) % 7;
}

/* The pointer that has external linkage may lead to any of the others. */
static void kernel_weigh(int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        field[i] = field[i] * weights[i] + 1.0;
}

/* The table is read in the head of the inner loop only. */
static void kernel_lengths(double *restrict out, int n)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if
        double sum = 0.0;
        for (int j = 0; j < length[i]; j++) // loop: parallel, reduction(+:sum)
            sum += field[j];
        out[i] = sum;
    }
}

/* All stay on the device around the steps. */
static void kernel_steps(int n, int steps)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 next[i], +2 next[i]), because each step reads what the one before it wrote
        for (int i = 1; i < n - 1; i++) // loop: parallel_if
            next[i] = field[i - 1] + 2.0 * field[i] - field[i + 1];
        for (int i = 1; i < n - 1; i++) // loop: parallel_if
            field[i] = next[i] - 1024.0 * (int)(next[i] / 1024.0);
    }
}

/* The second loop reads another array by the same name. */
static void kernel_set_between(double *out, double *other, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        out[i] = field[i] + 1.0;
    field = other;
    for (int i = 0; i < n; i++) // loop: parallel_if
        out[i] = out[i] + field[i];
}

/* The same, by the address of the pointer. */
static void kernel_set_by_address(double **which, double *out, double *other, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = i;
    *which = other;
    for (int i = 0; i < n; i++) // loop: parallel_if
        out[i] = out[i] + 2.0 * weights[i];
}

/* One step forward in every iteration of the outer loop: nothing stays on the device around it. */
static void kernel_walk(double *restrict out, int n, int steps)
{
    double *kept = field;
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+3 field, +2 field), because each step adds to out
        for (int i = 0; i < n; i++) // loop: parallel_if // stronger: parallel, as out is restrict
            out[i] += field[i];
        field = field + 1;
    }
    field = kept;
}

int main(void)
{
    cells = N;
    field = malloc(N * sizeof *field);
    next = malloc(N * sizeof *next);
    spare = malloc(N * sizeof *spare);
    length = malloc(N * sizeof *length);
    double *out = malloc(N * sizeof *out);
    double *third = malloc(N * sizeof *third);
    for (int i = 0; i < N; i++) { // loop: parallel
        out[i] = 0.5;
        third[i] = i % 3;
    }
    kernel_fill();
    show("filled", field, N);
    weights = spare;
    kernel_weigh(N);
    show("weighed", field, N);
    weights = field;
    kernel_weigh(N);
    show("weighed by itself", field, N);
    weights = field + 1;
    kernel_weigh(N - 1);
    show("weighed by neighbours", field, N);
    kernel_lengths(out, N);
    show("lengths", out, N);
    kernel_steps(N, STEPS);
    show("steps", field, N);
    show("next", next, N);
    kernel_set_between(out, third, N);
    show("set between", out, N);
    kernel_set_by_address(&weights, out, spare, N);
    show("set by address", out, N);
    kernel_walk(out, N - STEPS, STEPS);
    show("walk", out, N);
    show("third", third, N);
    next = field + 3;
    kernel_steps(N - 3, STEPS);
    show("steps in one array", third, N);
    kernel_set_between(third + 1, third, N - 1);
    show("set between in one array", third, N);
    kernel_set_by_address(&weights, third, third + 1, N - 1);
    show("set by address in one array", third, N);
    free(out);
    return 0;
}
