// same_condition: a variable is set under a condition and used under the same one, or under one that has changed since (section 9.4 of IPDA).
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

/* The paper's: nothing but a[0] is written, though `at` may be -1. */
void kernel_first(int n, int c, int *restrict a, int *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+6 a[at], +6 a[at]), because every iteration may write a[0]
        int at = -1;
        if (c > 0)
            at = 0;
        b[i] = at;
        if (c > 0)
            a[at] = i; // write a[0 .. 0]
    }
}

/* Each iteration its own element, if any. */
void kernel_own(int n, int c, int *restrict a, int *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        int at = -1;
        if (c > 0)
            at = i;
        b[i] = at;
        if (c > 0)
            a[at] = 2 * i;
    }
}

/* The same with a condition of each iteration. */
void kernel_marked(int n, const int *restrict c, int *restrict a, int *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        int at = -1;
        if (c[i] > 0)
            at = i;
        b[i] = at;
        if (c[i] > 0)
            a[at] = 3 * i;
    }
}

/* The mark changes in between: where it appears, `at` was not set. */
void kernel_changed(int n, int *restrict c, int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+6 a[at], +6 a[at]), because every iteration whose mark appears writes a[0]
        int at = 0;
        if (c[i] > 0)
            at = i;
        c[i] = 1 - c[i];
        if (c[i] > 0)
            a[at] = 4 * i;
    }
}

/* The variable itself changes in between. */
void kernel_other(int n, int c, int d, int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 c = d, +2 c), because c is what the iteration before has set
        int at = 0;
        if (c > 0)
            at = i;
        c = d;
        if (c > 0)
            a[at] = 5 * i;
    }
}

int main(void)
{
    int *a = malloc(N * sizeof(int));
    int *b = malloc(N * sizeof(int));
    int *c = malloc(N * sizeof(int));
    if (!a || !b || !c)
        return 1;
    fill(a, N, 5);
    fill(c, N, 3);
    kernel_first(N, 1, a, b);
    show("first", a, N);
    kernel_first(N, 0, a, b);
    show("none", b, N);
    kernel_own(N, 1, a, b);
    show("own", a, N);
    kernel_own(N, -1, a, b);
    show("not set", b, N);
    kernel_marked(N, c, a, b);
    show("marked", a, N);
    show("marks", b, N);
    kernel_changed(N, c, a);
    show("changed", a, N);
    show("new marks", c, N);
    kernel_other(N, 0, 1, a);
    show("set later", a, N);
    kernel_other(N, 1, 0, a);
    show("taken away", a, N);
    free(a);
    free(b);
    free(c);
    return 0;
}
