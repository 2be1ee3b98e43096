// statics: arrays and scalars that belong to one function and keep their values from call to call, in blocks and under names that others have.
// sizes: -DN=29
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 41
#endif

static int history[N];

void kernel_kept(int n, int *x)
{
    static int kept[N];
    for (int i = 0; i < n; i++) // loop: parallel
        kept[i] += x[i];
    for (int i = 0; i < n; i++) // loop: parallel
        x[i] = kept[n - 1 - i];
}

void kernel_inside(int n, int *x)
{
    if (n > 3) {
        static int inner[N];
        static int calls;
        calls++;
        for (int i = 0; i < n; i++) // loop: parallel
            inner[i] = inner[i] + x[i] * calls;
        for (int i = 0; i < n; i++) // loop: parallel
            x[i] = x[i] + inner[i];
    }
}

/* The name of the file's variable, and twice the same name. */
int kernel_hidden(int n, const int *x)
{
    int sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel
        history[i] += 1;
    {
        static int history[N];
        for (int i = 0; i < n; i++) // loop: parallel
            history[i] += x[i];
        for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
            sum += history[i];
    }
    {
        static int other[N];
        for (int i = 0; i < n; i++) // loop: parallel
            other[i] = 2 * x[i];
        sum += other[n / 2];
    }
    {
        static int other[N];
        for (int i = 0; i < n; i++) // loop: parallel
            other[i] -= x[i];
        sum += other[n / 3];
    }
    return sum;
}

static long checksum(const int *v, int n)
{
    long h = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:h)
        h += v[i] * (2L * i + 1);
    return h;
}

int main(void)
{
    int *x = malloc(N * sizeof *x);
    if (!x)
        return 1;
    for (int i = 0; i < N; i++) // loop: parallel
        x[i] = i % 13;
    for (int t = 0; t < 3; t++) { // loop: sequential, pair(kept[i], kept[i]), because each call goes on from what the last one kept
        kernel_kept(N, x);
        kernel_inside(N - t, x);
        printf("%ld %d\n", checksum(x, N), kernel_hidden(N - 1, x));
    }
    printf("%ld\n", checksum(history, N));
    free(x);
    return 0;
}
