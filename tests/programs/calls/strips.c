// strips: functions of another file that are given structures and work on what their members lead to.
// files: strips.c strips_other.c
// sizes: -DN=53 -DROWS=11
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef ROWS
#define ROWS 9
#endif

struct strip {
    int n;
    double *from;
    double *to;
};

enum { half = 2 };

double strip_weight = half;

void strip_halve(struct strip *s);
void strip_weigh(struct strip *s);
void strip_add(struct strip s, double shift);
void strip_next(struct strip *s);
double strip_sum(const struct strip *s);
double strip_table(int k);
void strip_counted(struct strip *s);
void strip_set(int x);
int strip_get(void);
double strip_here(double x);

/* The other file calls it. */
double strip_here(double x)
{
    return x + 1;
}

static void fill(double *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 7) % 17 - 8;
}

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_halved(int rows, int n, double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: parallel
        struct strip s = {n, a + r * n, b + r * n};
        strip_halve(&s);
    }
}

void kernel_weighed(int rows, int n, double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: parallel
        struct strip s = {n, a + r * n, b + r * n};
        strip_weigh(&s);
    }
}

void kernel_added(int rows, int n, double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: parallel
        struct strip s = {n, a + r * n, b + r * n};
        strip_add(s, r);
    }
}

/* The other file moves the strip on. */
void kernel_moved(int rows, int n, double *restrict a, double *restrict b)
{
    struct strip s = {n, a, b};
    for (int r = 0; r < rows; r++) { // loop: sequential, pair(s->from, s->from), because each iteration moves the strip on
        strip_halve(&s);
        strip_next(&s);
    }
}

void kernel_summed(int rows, int n, double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: parallel
        struct strip s = {n, a + r * n, b};
        b[r] = strip_sum(&s) + strip_table(r);
    }
}

/* The other file counts its calls. */
void kernel_counted(int rows, int n, double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: sequential, because each call counts on
        struct strip s = {n, a + r * n, b + r * n};
        strip_counted(&s);
    }
}

/* One function sets what the other one returns, in a variable of the other file. */
void kernel_kept(int rows, int n, const double *restrict a, double *restrict b)
{
    for (int r = 0; r < rows; r++) { // loop: sequential, because all iterations use one variable of the other file
        strip_set(r);
        b[r] = a[r * n] + strip_get();
    }
}

int main(void)
{
    double *a = malloc(ROWS * N * sizeof(double));
    double *b = malloc(ROWS * N * sizeof(double));
    if (!a || !b)
        return 1;
    fill(a, ROWS * N, 5);
    fill(b, ROWS * N, 3);
    kernel_halved(ROWS, N, a, b);
    show("halved", b, ROWS * N);
    kernel_weighed(ROWS, N, a, b);
    show("weighed", b, ROWS * N);
    kernel_added(ROWS, N, a, b);
    show("added", b, ROWS * N);
    kernel_moved(ROWS, N, a, b);
    show("moved", b, ROWS * N);
    kernel_summed(ROWS, N, a, b);
    show("summed", b, ROWS * N);
    kernel_counted(ROWS, N, a, b);
    show("counted", b, ROWS * N);
    kernel_kept(ROWS, N, a, b);
    show("kept", b, ROWS * N);
    free(a);
    free(b);
    return 0;
}
