// conditional_index: the first half of a tile is written one tile further on, where a later tile is written, too (figure 1 of IPDA).
// sizes: -DN=97
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 53
#endif
#define TILE 64

static void fill(long *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

static void show(const char *name, const long *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, (int)v[0], (int)v[n / 2], (int)v[n - 1]);
}

void kernel_tile(int n, long *b)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if // n <= 64: iterations i and i + 64 write the same element for i < 32
        int at;
        if (i < TILE / 2)
            at = TILE + i;
        else
            at = i;
        b[at] = 3 * i + 1;
    }
}

/* The lengths in sight: one tile is free of dependences, one iteration more is not. */
void kernel_one_tile(long *b)
{
    for (int i = 0; i < TILE; i++) { // loop: parallel
        int at = i;
        if (i < TILE / 2)
            at = TILE + i;
        b[at] = 5 * i - 2;
    }
}

void kernel_one_more(long *b)
{
    for (int i = 0; i < TILE + 1; i++) { // loop: sequential, pair(+4 b[at], +4 b[at]), because iterations 0 and 64 write b[64]
        int at = i;
        if (i < TILE / 2)
            at = TILE + i;
        b[at] = 7 * i + 3;
    }
}

/* The length is known to be greater. */
void kernel_more_known(int n, long *b)
{
    if (n <= 64)
        return;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 b[at], +4 b[at]), because iterations 0 and 64 write b[64]
        int at = i;
        if (i < 32)
            at = 64 + i;
        b[at] = 2 * i + 3;
    }
}

/* One of the two is not written. */
void kernel_first_left_out(int n, long *b)
{
    if (n != 65)
        return;
    for (int i = 0; i < n; i++) { // loop: parallel
        int at = i;
        if (i > 0 && i < 32)
            at = 64 + i;
        b[at] = 2 * i + 7;
    }
}

int main(void)
{
    int size = 2 * N + TILE;
    long *b = malloc((size_t)size * sizeof(long));
    if (!b)
        return 1;
    fill(b, size, 5);
    kernel_tile(TILE - N % 2, b);
    show("one tile", b, size);
    kernel_tile(TILE + N, b);
    show("more", b, size);
    kernel_one_tile(b);
    show("to 64", b, size);
    kernel_one_more(b);
    show("to 65", b, size);
    kernel_more_known(TILE + N, b);
    show("more known", b, size);
    kernel_first_left_out(TILE + 1, b);
    show("left out", b, size);
    free(b);
    return 0;
}
