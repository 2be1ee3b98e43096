// steps: loops that begin at another loop's counter and go on in steps of several, over arrays that end where they do.
// sizes: -DN=67
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 101
#endif

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

// The plainest one: every second one from the diagonal on.
void kernel_second(int n, int *restrict a, const int *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = i; j < n; j += 2) // loop: parallel, reduction(+:a[i])
            a[i] += b[j];
}

// Down to the first one.
void kernel_down(int n, int *restrict a, const int *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = i; j >= 0; j -= 3) // loop: parallel, reduction(+:a[i])
            a[i] += b[j];
}

// The step is a parameter.
void kernel_step(int n, int step, int *restrict a, const int *restrict b)
{
    if (step < 1)
        return;
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = i; j < n; j += step) // loop: parallel, reduction(+:a[i])
            a[i] += b[j];
}

// Both loops have steps, and the inner one begins later.
void kernel_both(int n, int *restrict a, const int *restrict b)
{
    for (int i = 0; i < n; i += 3) // loop: parallel
        for (int j = 2 * i + 1; j < n; j += 4) // loop: parallel, reduction(+:a[i])
            a[i] += b[j];
}

// From the other end of the array.
void kernel_mirrored(int n, int *restrict a, const int *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = i; j < n; j += 5) // loop: parallel, reduction(+:a[i])
            a[i] += b[n - 1 - j];
}

// Rows of a triangle, each second column.
void kernel_rows(int n, int *restrict a, const int *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = i; j < n; j += 2) // loop: parallel
            a[i * n + j] = b[j] - b[i];
}

// Three loops, each from the one around it.
void kernel_three(int n, int *restrict a, const int *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = i; j < n; j += 2) // loop: parallel, reduction(+:a[i])
            for (int k = j; k < n; k += 5) // loop: parallel, reduction(+:a[i])
                a[i] += b[k];
}

int main(void)
{
    // Side by side: what is mapped beyond the end of one is in the way of the next one.
    int *b = malloc((2 * N + N * N) * sizeof *b);
    if (!b)
        return 1;
    int *a = b + N, *c = b + 2 * N;
    fill(a, N, 3);
    fill(b, N, 7);
    fill(c, N * N, 5);
    kernel_second(N, a, b);
    show("second", a, N);
    kernel_down(N, a, b);
    show("down", a, N);
    kernel_step(N, 4, a, b);
    show("step", a, N);
    kernel_both(N, a, b);
    show("both", a, N);
    kernel_mirrored(N, a, b);
    show("mirrored", a, N);
    kernel_rows(N, c, b);
    show("rows", c, N * N);
    kernel_three(N, a, b);
    show("three", a, N);
    free(b);
    return 0;
}
