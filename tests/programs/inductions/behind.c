// behind: values behind a loop that are made of what the loop changes.
// sizes: -DN=67
// not: reversed
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 101
#endif

struct counts {
    int left;
    int all;
};

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

// The variable that held the bound counts down.
int kernel_left(int n, const int *restrict a, int *restrict b)
{
    int left = n, i;
    for (i = 0; i < n; i++) { // loop: parallel, reduction(+:left)
        b[i] = a[i];
        if (a[i] > 2)
            left--;
    }
    return 1000 * left + i;
}

// The same, where nothing else holds the bound that is seen here.
int kernel_only_left(int m, const int *restrict a, int *restrict b)
{
    int left, i, k = 3;
    {
        int n = m - 3;
        left = n;
        m = 2;
        for (i = 0; i < n; i++) { // loop: parallel, reduction(+:left) // induction: k is 2 * i + 3
            b[i] = a[i];
            k += 2;
            if (a[i] > 2)
                left--;
        }
    }
    return 1000 * left + i + m * k;
}

// A pointer that walks as far.
int kernel_walks(int n, const int *restrict a, int *restrict b)
{
    int left = n;
    int *p = b;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:left) // induction: p is b + i
        *p++ = a[i];
        if (a[i] > 2)
            left--;
    }
    return 1000 * left + (int)(p - b);
}

// A loop before it leaves the same value behind, which the host does not have where that loop ran on the device and nothing used it.
int kernel_again(int n, const int *restrict a, int *restrict b, int *restrict c)
{
    int i, k;
    for (i = 0, k = 3; i < n; i++, k += 2) // loop: parallel // induction: k is 2 * i + 3
        b[i] = a[i] + k;
    for (i = 0, k = 3; i < n; i++, k += 2) // loop: parallel // induction: k is 2 * i + 3
        c[i] = a[i] - k;
    return 1000 * k + i;
}

// The same, under a condition, and in every round of a loop on the host that uses it.
int kernel_rounds(int n, int some, const int *restrict a, int *restrict b)
{
    int i = -7, sum = 0;
    for (int t = 0; t < 3; t++) { // loop: sequential, pair(+3 b[i], +3 b[i]), because of sum and i // stronger: parallel after the first round
        sum = 3 * sum + i;
        for (i = 0; i < n; i++) // loop: parallel
            b[i] = a[i] + sum;
        if (some + t > 1) {
            for (i = 0; i < n; i++) // loop: parallel
                b[i] -= a[i] / 2;
        }
    }
    return sum + i;
}

// A member counts down, and holds what the loop runs up to.
int kernel_member(int n, struct counts *restrict s, const int *restrict a, int *restrict b)
{
    int i;
    s->left = n - 1;
    for (i = 0; i < n - 1; i++) { // loop: parallel, reduction(+:s->left)
        b[i] = a[i];
        if (a[i] > 2)
            s->left--;
    }
    return i;
}

// Somebody else has the address of the first value's variable.
int kernel_from_reached(int n, int m, int **reach, int *p)
{
    int from = n, i;
    *reach = &from;
    n = 0;
    for (i = from; i < m; i++) // loop: parallel
        p[i] = 1000;
    *reach = NULL;
    return i + n;
}

// The element that all iterations add to is named by variables that move.
int kernel_meets(int n, int q, const int *restrict a, int *restrict b)
{
    int w;
    for (w = 1; w < n; w++, q--) // loop: parallel, reduction(+:b[q + w])
        b[q + w] += a[w];
    return w + q;
}

int kernel_meets_in_body(int n, int q, const int *restrict a, int *restrict b)
{
    for (int w = 1; w < n; w++) { // loop: parallel, reduction(+:b[q + w]) // induction: q is q - w + 1
        b[q + w] += a[w];
        q--;
    }
    return q;
}

int main(void)
{
    static int a[N], b[2 * N];
    struct counts counts = {0, N};
    fill(a, N, 7);
    fill(b, 2 * N, 3);
    printf("left %d, %d\n", kernel_left(N, a, b), kernel_left(-3, a, b));
    printf("only left %d, %d\n", kernel_only_left(N, a, b), kernel_only_left(1, a, b));
    printf("walks %d, %d\n", kernel_walks(N, a, b), kernel_walks(-3, a, b));
    int last = kernel_member(N, &counts, a, b);
    printf("member %d, %d of %d\n", last, counts.left, counts.all);
    printf("again %d, %d\n", kernel_again(N, a, b, b + N), kernel_again(-3, a, b, b + N));
    printf("rounds %d, %d, %d\n", kernel_rounds(N, 0, a, b), kernel_rounds(N, 2, a, b), kernel_rounds(-3, 2, a, b));
    int *reach;
    printf("reached %d, %d\n", kernel_from_reached(5, N, &reach, b), kernel_from_reached(N + 3, N, &reach, b));
    printf("meets %d, %d\n", kernel_meets(N, N, a, b), kernel_meets(-3, N, a, b));
    printf("meets in body %d\n", kernel_meets_in_body(N, N + 7, a, b));
    uint64_t sum = 0;
    for (int i = 0; i < 2 * N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)b[i] * (uint64_t)(2 * i + 1);
    printf("b %016llx\n", (unsigned long long)sum);
    return 0;
}
