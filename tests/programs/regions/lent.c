// lent: work arrays that a static function is given: read by nobody else, read by its next call, read by the caller.
// sizes: -DN=23 -DROUNDS=4
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 41
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

// Its callers never read the work array.
static void kernel_smooth(int n, const int *restrict in, int *restrict work, int *restrict out)
{
    for (int i = 0; i < n; i++) // loop: parallel
        work[i] = 3 * in[i] + i;
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = work[i] - work[n - 1 - i];
}

// Each call finds what the call before has left.
static void kernel_carry(int n, int *restrict history, int *restrict out)
{
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] += history[i];
    for (int i = 0; i < n; i++) // loop: parallel
        history[i] = out[i] + 2 * i;
}

// One of its callers reads what it leaves.
static void kernel_square(int n, int *restrict square, int *restrict out)
{
    for (int i = 0; i < n; i++) // loop: parallel
        square[i] = i * i % 17;
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] += square[i];
}

// What it is lent is handed on.
static void pass_on(int n, const int *in, int *work, int *out)
{
    kernel_smooth(n, in, work, out);
}

static long checksum(int n, const int *a)
{
    long sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (2 * i + 1) * (long)a[i];
    return 4096 * sum;
}

int main(void)
{
    int *in = malloc(N * sizeof *in);
    int *out = malloc(N * sizeof *out);
    int *work = malloc(N * sizeof *work);
    int *history = malloc(N * sizeof *history);
    int *square = malloc(N * sizeof *square);
    if (!in || !out || !work || !history || !square)
        return 1;
    for (int i = 0; i < N; i++) { // loop: parallel
        in[i] = i * 5 % 13;
        history[i] = i % 3;
    }
    pass_on(N, in, work, out);
    printf("%ld\n", checksum(N, out));
    int early[N];
    for (int round = 0; round < ROUNDS; round++) { // loop: sequential, pair(out[i], out[i])
        kernel_smooth(N - round, in, early, out);
        kernel_carry(N, history, out);
    }
    printf("%ld\n", checksum(N, out));
    int unread[N];
    kernel_square(N, unread, out);
    kernel_square(N, square, out);
    printf("%ld %ld %d\n", checksum(N, out), checksum(N, square), square[N - 1]);
    free(in);
    free(out);
    free(work);
    free(history);
    free(square);
    return 0;
}
