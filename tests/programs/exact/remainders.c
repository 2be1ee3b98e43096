// remainders: subscripts with quotients and remainders by numbers, in turns and in blocks, and one that leads to an element twice.
// sizes: -DN=23
// not: reversed
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 19
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

/* In each block of three elements another one comes first. */
void kernel_turned(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < 3; j++) // loop: parallel
            a[3 * i + (i + j) % 3] = 5 * a[3 * i + (i + j) % 3] + j;
}

/* Four turns in a block of three: the last one meets the first one. */
void kernel_turned_too_far(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < 4; j++) // loop: unknown, pair(+1 a[3 * i + (i + j) % 3], +1 a[3 * i + (i + j) % 3]) // stronger: sequential
            a[3 * i + (i + j) % 3] = 5 * a[3 * i + (i + j) % 3] + j;
}

/* Dealt to three rows of blocks of four. */
void kernel_dealt(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < 4; j++) // loop: parallel
            a[4 * n * (i % 3) + 4 * (i / 3) + j] = 3 * a[4 * n * (i % 3) + 4 * (i / 3) + j] - i;
}

/* Even numbers go to the first half, odd ones behind it, a little further on. */
void kernel_halves(int n, const int *restrict a, int *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        int to;
        if (i % 2 == 0)
            to = i / 2;
        else
            to = n + 2 + i / 2;
        b[to] = 2 * b[to] + a[i];
    }
}

int main(void)
{
    int *a = malloc((size_t)(12 * N) * sizeof(int));
    int *b = malloc((size_t)(2 * N) * sizeof(int));
    if (!a || !b)
        return 1;
    fill(a, 12 * N, 5);
    fill(b, 2 * N, 7);
    kernel_turned(N, a);
    show("turned", a, 12 * N);
    kernel_turned_too_far(N, a);
    show("turned too far", a, 12 * N);
    kernel_dealt(N, a);
    show("dealt", a, 12 * N);
    kernel_halves(N, a, b);
    show("halves", b, 2 * N);
    free(a);
    free(b);
    return 0;
}
