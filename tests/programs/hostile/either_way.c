// either_way: kernels behind a comparison of their pointers, forwards and backwards, and a loop in front of a label that the loop before shares its counter with.
// sizes: -DN=77
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 41
#endif

/* As `memmove` does it. */
void kernel_either_way(int n, const long *p, long *q)
{
    if (q < p) {
        for (int i = 0; i < n; i++) // loop: parallel_if
            q[i] += p[i];
    } else {
        for (int i = n - 1; i >= 0; i--) // loop: parallel_if
            q[i] -= p[i];
    }
}

/* Of three pointers the middle one is written. */
void kernel_middle(int n, const long *p, long *q, const long *r)
{
    if (r < q && q < p)
        for (int i = 0; i < n; i++) // loop: parallel_if
            q[i] = p[i] * 3 + r[i];
}

int kernel_label(int n, long *restrict x, long *restrict y)
{
    int i;
    if (n < 1)
        goto out;
    for (i = 0; i < n; i++) // loop: parallel
        x[i] += 5;
    for (i = 0; i < n; i++) // loop: parallel
        y[i] += 7;
out:
    return n + 1;
}

int main(void)
{
    long *a = malloc(4 * N * sizeof *a);
    for (int i = 0; i < 4 * N; i++) // loop: parallel
        a[i] = i % 13;
    kernel_either_way(N, a + 2 * N, a);
    kernel_either_way(N, a, a + 3 * N);
    kernel_either_way(N, a + 3, a);
    kernel_either_way(N, a + 2 * N, a + 2 * N + 5);
    kernel_middle(N, a + 3 * N, a + N, a);
    kernel_middle(N, a + N + 2, a + N, a);
    int last = kernel_label(N, a, a + N) + kernel_label(0, a, a + N);
    long sum = 0;
    for (int i = 0; i < 4 * N; i++) // loop: parallel, reduction(+:sum)
        sum += a[i] * (2 * i + 1);
    printf("%ld %ld %ld %ld %d\n", sum, a[0], a[N], a[4 * N - 1], last);
    free(a);
    return 0;
}
