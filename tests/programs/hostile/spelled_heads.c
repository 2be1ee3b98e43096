// spelled_heads: heads that mean what directives want and are spelled as one compiler or the other refuses them, beside some that both take.
// sizes: -DN=101
#include <stdio.h>

#ifndef N
#define N 37
#endif

#define UP_TO(i, n) ((i) < (n))

static long a[N], b[4];

void kernel_refused(int n)
{
    int i;
    for (i = 0; (i < n); i++) // loop: parallel
        a[i] += 1;
    for (i = 0; UP_TO(i, n); i++) // loop: parallel
        a[i] += i;
    for ((i = 0); i < n; i++) // loop: parallel
        a[i] *= 3;
    for ((i) = 0; i < n; i++) // loop: parallel
        a[i] += 5 * i;
    for (i = 0, 0; i < n; i++) // loop: parallel
        a[i] -= 7;
    for (i = 0; i < n; i++, (void)b[1]) // loop: parallel
        a[i] *= 5;
    for (i = 0; i < n; (void)i++) // loop: parallel
        a[i] += 2 * i;
    for (i = 0; i < n; i = (int)(i + 1)) // loop: parallel
        a[i] -= i;
    for (i = 0; i < n; i = (int)i + 1) // loop: parallel
        a[i] *= 7;
    for (i = 0; (long)i < n; i++) // loop: parallel
        a[i] += 9;
}

/* The outer loop is taken, the inner one not: they are not collapsed. */
void kernel_inner(int n)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; (j < 4); j++) // loop: parallel, reduction(+:a[i])
            a[i] += b[j] * (i + j);
}

void kernel_taken(int n, short m)
{
    int i;
    for (i = 0; i < (int)m; (i++)) // loop: parallel
        a[i] += 11;
    for (i = 0; (n) > (i); i = (1 + (i))) // loop: parallel
        a[i] *= 3;
    for (int(k) = (0); (k) < n; (k) += (int)1) // loop: parallel
        a[k] -= k;
}

int main(void)
{
    for (int i = 0; i < N; i++) // loop: parallel
        a[i] = i % 5;
    for (int i = 0; i < 4; i++) // loop: parallel
        b[i] = i + 1;
    kernel_refused(N);
    kernel_inner(N);
    kernel_taken(N, N);
    long sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += a[i] % 1000003 * (i + 1);
    printf("%ld %ld\n", sum, a[N - 1]);
    return 0;
}
