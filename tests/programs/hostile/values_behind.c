// values_behind: values behind do loops, cases, stores and loops that end for two reasons; a sum that another sum reads.
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

/* What v[0] holds came from a short, but it is an int that q may be: the length is not certainly h[0] behind the store. */
void kernel_stored_as_int(int n, const short *h, int *v, int **q, int *restrict w)
{
    v[0] = h[0];
    **q = n;
    for (int i = 0; i < v[0]; i++) // loop: parallel
        w[i] = i - 3;
}

/* Where i begins behind 3, nothing but the bound ends the loop. */
void kernel_not_met(int from, int n, int *restrict v)
{
    int i = from;
    while (i < n && i != 3) { // loop: parallel
        v[i] += 2;
        i++;
    }
    v[0] = i;
}

/* total[0] is a sum, and an operand of another one in every iteration. */
void kernel_operand(int n, int *restrict sum, int *restrict total)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 total[0], +1 total[0]), because total[0] is read between its updates
        sum[0] += total[0];
        total[0] += i;
    }
}

static void below(int *w, int y, int z)
{
    for (int i = 0; i < y; i++) // loop: sequential, because a return leaves it
        switch (z & 3) {
        case 0:
            if (i <= 2)
                return;
            /* fall through */
        default:
            w[z + i] = i + z;
        }
}

/* The default is entered with i <= 2, too, where z is not a multiple of 4. */
void kernel_from_head(int n, int *restrict w)
{
    int z = n;
    while (z-- > 0) // loop: unknown, pair(w[z + i], w[z + i])
        below(&w[2 * z + 1], z, z);
}

int main(void)
{
    static short h[1] = {5};
    static int one[1], two[1];
    int *q = one;
    kernel_after_do(N, a, b);
    kernel_after_do(0, a, b);
    show("a", a, 4 * N);
    show("b", b, 4 * N);
    kernel_stored_as_int(N, h, one, &q, a);
    show("a", a, 4 * N);
    kernel_not_met(5, N, a);
    kernel_not_met(0, N, a);
    show("a", a, 4 * N);
    kernel_operand(N, one, two);
    printf("%d %d\n", one[0], two[0]);
    kernel_from_head(N, a);
    show("a", a, 4 * N);
    kernel_falls(0, N, a, b);
    kernel_falls(1, N, a, b);
    kernel_falls(2, N, a, b);
    show("a", a, 4 * N);
    show("b", b, 4 * N);
    return 0;
}
