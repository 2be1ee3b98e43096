// values_behind: the value of a variable behind a do loop, and behind a case that falls into the next one.
// sizes: -DN=23
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 37
#endif

static int a[4 * N], b[4 * N];

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

/* The do loop leaves in its last iteration, not before one that does not come: last is n, not n + 1. */
void kernel_after_do(int n, int *restrict v, int *restrict w)
{
    int last = 0;
    do { // loop: parallel
        v[last] = last;
    } while (++last < n);
    for (int i = last; i < 2 * last; i++) // loop: parallel
        w[i] = i + 1;
}

/* Case 1 is entered with another end than from case 0 above it. */
void kernel_falls(int which, int n, int *restrict v, int *restrict w)
{
    int end = n;
    switch (which) {
    case 0:
        for (int i = 0; i < end; i++) // loop: parallel
            v[i] += 3;
        end = 2 * n;
        /* fall through */
    case 1:
        for (int i = 0; i < end; i++) // loop: parallel
            w[i] += 5;
        break;
    default:
        end = 0;
    }
    for (int i = 0; i < end; i++) // loop: parallel
        v[i] -= 1;
}

int main(void)
{
    kernel_after_do(N, a, b);
    kernel_after_do(0, a, b);
    show("a", a, 4 * N);
    show("b", b, 4 * N);
    kernel_falls(0, N, a, b);
    kernel_falls(1, N, a, b);
    kernel_falls(2, N, a, b);
    show("a", a, 4 * N);
    show("b", b, 4 * N);
    return 0;
}
