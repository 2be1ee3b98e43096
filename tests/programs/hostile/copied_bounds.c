// copied_bounds: loops whose bounds are written with a variable that their iterations set, sum up or fill.
// sizes: -DN=53
// not: reversed
// (The start of a loop is evaluated once, the end of its reverse before every iteration, when the body has changed it.)
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_down(int n, int *restrict a)
{
    for (int i = n - 1; i >= 0; i -= 2) { // loop: parallel, private(n)
        n = 3 * i;
        a[i] = n;
    }
}

void kernel_down_and_used(int n, int *restrict a)
{
    for (int i = n - 1; i >= 0; i -= 2) { // loop: parallel, lastprivate(n)
        n = 2 * i;
        a[i] += n;
    }
    a[1] += 5 * n;
}

int kernel_sum(int first, int n, const int *restrict a)
{
    for (int i = first; i < n; i++) // loop: parallel, reduction(+:first)
        first += a[i];
    return first;
}

void kernel_work(int n, int *restrict a)
{
    int ends[2] = {2, n};
    for (int i = ends[0]; i < n; i++) { // loop: parallel, private(ends)
        ends[0] = a[i] + 1;
        ends[1] = i;
        a[i] = ends[0] * ends[1];
    }
}

/* The bounds of the inner loop are set in each iteration: only the outer one can be a kernel's. */
void kernel_inner(int n, int m, int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel, private(m)
        for (int j = 0; j < N; j++) { // loop: parallel, private(m)
            m = i + j;
            a[i * N + j] = m;
        }
}

int main(void)
{
    int *a = malloc((size_t)N * N * sizeof(int));
    if (!a)
        return 1;
    for (int i = 0; i < N * N; i++) // loop: parallel
        a[i] = i % 7 - 3;
    kernel_down(N, a);
    show("down", a, N);
    kernel_down_and_used(N, a);
    show("down and used", a, N);
    printf("sum %d\n", kernel_sum(3, N, a));
    kernel_work(N, a);
    show("work", a, N);
    kernel_inner(N, 1, a);
    show("inner", a, N * N);
    free(a);
    return 0;
}
