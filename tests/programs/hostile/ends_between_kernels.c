// ends_between_kernels: a loop between two kernels, or a function with one, would end the program before what the second one touches has to be there.
// sizes: -DN=101
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

static double a[N], b[N];

static void check_each(int w)
{
    for (int j = 0; j < 2; j++) // loop: sequential
        if (w > N + j)
            exit(0);
}

/* The loop between the kernels knows that w is small, and nobody else does. */
void kernel_around_a_loop(double *restrict x, int w, int steps)
{
    for (int r = 0; r < steps; r++) { // loop: sequential, pair(+2 a[i], +2 a[i])
        for (int i = 0; i < N; i++) // loop: parallel
            a[i] += b[i];
        for (int j = 0; j < 1; j++) // loop: sequential
            if (w > N)
                exit(0);
        for (int i = 0; i < w; i++) // loop: parallel
            x[i] += a[1];
    }
}

/* A function of its own, in straight line. */
void kernel_around_a_call(double *restrict x, int w)
{
    for (int i = 0; i < N; i++) // loop: parallel
        a[i] += b[i];
    check_each(w);
    for (int i = 0; i < w; i++) // loop: parallel
        x[i] += a[1];
}

/* Here the way to the end says how long x is where the second kernel runs. */
void kernel_around_a_condition(double *restrict x, int w)
{
    for (int i = 0; i < N; i++) // loop: parallel
        a[i] += b[i];
    if (w > N)
        exit(0);
    for (int i = 0; i < w; i++) // loop: parallel
        x[i] += a[1];
}

int main(void)
{
    double *x = malloc(N * sizeof *x);
    for (int i = 0; i < N; i++) { // loop: parallel
        x[i] = i;
        b[i] = 2 * i;
    }
    kernel_around_a_loop(x, N, 2);
    kernel_around_a_call(x, N);
    kernel_around_a_condition(x, N);
    double sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += x[i] * (i + 1);
    printf("%.1f\n", sum);
    free(x);
    return 0;
}
