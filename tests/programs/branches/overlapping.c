// overlapping: pointers that may overlap, values in order, where the condition around the kernel does not hold.
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

/* Where `use` is not set the two may be one array. */
static void kernel_overlap(double *a, double *b, int n, int steps, int use)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+6 b[i], +6 b[i]), because b[i] is changed in every step
        if (use) {
            for (int i = 0; i < n; i++) // loop: parallel_if
                b[i] = a[i] - b[i];
        }
        for (int i = 0; i < n; i++) // loop: parallel
            b[i] = 1 - b[i];
    }
}

/* Elements that differ if the values are in order; they are there only where `use` is set. */
static void kernel_ordered(double *restrict a, const int *restrict idx, int n, int w, int steps, int use)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+4 a[idx[i] * w + j], +4 a[idx[i] * w + j]), because a[idx[i] * w + j] is changed in every step
        if (use) {
            for (int i = 0; i < n; i++) // loop: parallel_if
                for (int j = 0; j < w; j++) // loop: parallel
                    a[idx[i] * w + j] = j + t - a[idx[i] * w + j];
        }
    }
}

/* A sum under a condition, into an element. */
static void kernel_sum(double *restrict sum, const double *restrict a, int n, int steps, int use)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+3 sum[0], +4 sum[0]), because sum[0] is changed in every step
        if (use) {
            for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum[0])
                sum[0] += a[i];
            sum[0] = 9 - sum[0];
        }
    }
}

/* The whole sum in one loop, which adds nothing where `use` is not set. */
static void kernel_total(double *restrict sum, const double *restrict a, int n, int steps, int use)
{
    for (int t = 0; t < steps; t++) { // loop: parallel, reduction(+:sum[0])
        if (use) {
            for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum[0])
                sum[0] += a[i];
        }
    }
}

/* Rows that lie apart if `ld` is large enough, which is so where `use` is set. */
static void kernel_rows(double *restrict a, int n, int m, int ld, int steps, int use)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+4 a[i * ld + j], +4 a[i * ld + j]), because a[i * ld + j] is changed in every step
        if (use) {
            for (int i = 0; i < n; i++) // loop: parallel_if
                for (int j = 0; j < m; j++) // loop: parallel
                    a[i * ld + j] = i - j - a[i * ld + j];
        }
    }
}

int main(void)
{
    double *a = malloc(2 * N * sizeof *a), *b = malloc(2 * N * sizeof *b);
    int *idx = malloc(8 * sizeof *idx);
    fill(a, 2 * N, 3);
    fill(b, 2 * N, 5);
    for (int i = 0; i < 8; i++) // loop: parallel
        idx[i] = 2 * i;
    kernel_overlap(a, b, N, STEPS, 1);
    kernel_overlap(b, b + 3, N, STEPS, 1);
    kernel_overlap(b, b + 3, N, STEPS, 0);
    kernel_overlap(NULL, b, N, STEPS, 0);
    show("overlap", b, 2 * N);
    kernel_ordered(a, idx, 8, 4, STEPS, 1);
    kernel_ordered(a, NULL, 8, 4, STEPS, 0);
    show("ordered", a, 2 * N);
    kernel_sum(b, a, N, STEPS, 1);
    kernel_sum(NULL, a, N, STEPS, 0);
    kernel_sum(b, NULL, 0, STEPS, 1);
    kernel_total(b, a, N, STEPS * 20, 1);
    kernel_total(NULL, a, N, STEPS * 20, 0);
    kernel_total(b, NULL, 0, STEPS * 20, 1);
    show("sum", b, 2 * N);
    kernel_rows(a, 8, 5, 8, STEPS, 1);
    kernel_rows(a, 8, 8, 5, STEPS, 1);
    kernel_rows(NULL, 8, 8, 8, STEPS, 0);
    show("rows", a, 2 * N);
    free(idx);
    free(a);
    free(b);
    return 0;
}
