// known_but_not_read: a value is known since an earlier loop that did not run, and its structure is not there.
// sizes: -DN=101
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

struct shape {
    int rows, width;
};

/* The first loop knows s->width; nobody has read it where k is not positive. */
long kernel_after_a_loop(double *restrict a, const struct shape *restrict s, int n, int k)
{
    long t = 0;
    for (int i = 0; i < k; i++) // loop: parallel, reduction(+:t)
        t += s->width * i;
    for (int i = 0; i < n; i++) // loop: parallel, atomic(+:a)
        for (int j = 0; j < s->width; j++) // loop: parallel
            a[i * 4 + j] += 1;
    return t;
}

/* Under a condition. */
long kernel_after_a_condition(double *restrict a, const struct shape *restrict s, int n, int k)
{
    long t = 0;
    if (k > 0)
        t = s->width;
    for (int i = 0; i < n; i++) // loop: parallel, atomic(+:a)
        for (int j = 0; j < s->width; j++) // loop: parallel
            a[i * 4 + j] += 2;
    return t;
}

/* Read in any case. */
long kernel_after_a_read(double *restrict a, const struct shape *restrict s, int n)
{
    long t = s->width;
    for (int i = 0; i < n; i++) // loop: parallel, atomic(+:a)
        for (int j = 0; j < s->width; j++) // loop: parallel
            a[i * 4 + j] += 3;
    return t;
}

/* Another part of the same structure was read in any case; that the rest is there is not asked. */
long kernel_after_a_neighbour(double *restrict a, const struct shape *restrict s, int k)
{
    int n = s->rows;
    long t = 0;
    for (int i = 0; i < k; i++) // loop: parallel, reduction(+:t)
        t += s->width * i;
    for (int i = 0; i < n; i++) // loop: parallel, atomic(+:a)
        for (int j = 0; j < s->width; j++) // loop: parallel
            a[i * 4 + j] += 4;
    return t;
}

int main(void)
{
    double *a = malloc(4 * N * sizeof *a);
    struct shape shape = {N, 4};
    for (int i = 0; i < 4 * N; i++) // loop: parallel
        a[i] = i;
    long t = 0;
    t += kernel_after_a_loop(a, &shape, N, 3);
    t += kernel_after_a_loop(a, NULL, 0, 0);
    t += kernel_after_a_condition(a, &shape, N, 3);
    t += kernel_after_a_condition(a, NULL, 0, 0);
    t += kernel_after_a_read(a, &shape, N);
    t += kernel_after_a_neighbour(a, &shape, 2);
    long sum = 0;
    for (int i = 0; i < 4 * N; i++) // loop: parallel, reduction(+:sum)
        sum += (long)a[i] * (i + 1);
    printf("%ld %ld\n", t, sum);
    free(a);
    return 0;
}
