// rows: the elements of rows that follow one another, whose ends come from memory.
// sizes: -DN=53
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#define STORED (4 * N)

static void show(const char *name, const long *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %ld middle %ld last %ld\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

// ferry: extent(value[0:stored])
void kernel_scale(int n, int stored, const int *begin, long *value, const int *factor)
{
    (void)stored;
    for (int i = 0; i < n; i++) // loop: parallel_if // begin never decreases
        for (int k = begin[i]; k < begin[i + 1]; k++) // loop: parallel_if
            value[k] = value[k] / 2 + factor[i];
}

/* Numbers of an unsigned type, and the end in a variable. */
// ferry: extent(value[0:stored])
void kernel_number(int n, int stored, const unsigned *restrict begin, long *restrict value)
{
    (void)stored;
    for (int i = 0; i < n; i++) { // loop: parallel_if // begin never decreases
        unsigned last = begin[i + 1];
        for (unsigned k = begin[i]; k < last; k++) // loop: parallel
            value[k] = value[k] % 5 + i;
    }
}

/* The ends are in another table: that both are in order says nothing. */
// ferry: extent(value[0:stored])
void kernel_ends(int n, int stored, const int *restrict begin, const int *restrict end, long *restrict value)
{
    (void)stored;
    for (int i = 0; i < n; i++) // loop: unknown, pair(+2 value[k], +2 value[k])
        for (int k = begin[i]; k < end[i]; k++) // loop: parallel
            value[k] = value[k] / 2 + i;
}

int main(void)
{
    int *begin = malloc((N + 1) * sizeof *begin), *end = malloc(N * sizeof *end);
    int *factor = malloc(N * sizeof *factor);
    long *value = malloc(STORED * sizeof *value);
    unsigned *where = malloc((N + 1) * sizeof *where);
    if (!begin || !end || !value || !factor || !where)
        return 1;
    for (int i = 0; i < N; i++) // loop: parallel
        factor[i] = i * 3 % 17 - 4;
    for (int kind = 0; kind < 4; kind++) { // loop: sequential, pair(+6 begin[N], +6 begin[N]), because it prints
        int stored = 0;
        for (int i = 0; i < N; i++) { // loop: sequential, pair(+2 stored += (i * 5) % 4, +1 stored), because stored goes on
            begin[i] = stored;
            stored += (i * 5) % 4;
        }
        begin[N] = stored;
        /* Rows that go back: some hold elements of others, some hold none. */
        if (kind == 1)
            begin[N] = begin[N - 1] - 2;
        if (kind == 2)
            begin[1] = 9;
        if (kind == 3)
            for (int i = 1; i < N; i += 3) // loop: parallel
                begin[i] = begin[i] + 6;
        for (int i = 0; i < N; i++) // loop: parallel
            end[i] = begin[i + 1] + i % 2;
        for (int i = 0; i <= N; i++) // loop: parallel
            where[i] = (unsigned)begin[i];
        for (int k = 0; k < STORED; k++) // loop: parallel
            value[k] = k * 7 % 31;
        kernel_scale(N, STORED, begin, value, factor);
        kernel_scale(0, STORED, begin + N, value, factor);
        show("scaled", value, STORED);
        kernel_number(N, STORED, where, value);
        kernel_number(0, STORED, NULL, value);
        show("numbered", value, STORED);
        kernel_ends(N, STORED, begin, end, value);
        show("ends", value, STORED);
    }
    free(begin);
    free(end);
    free(value);
    free(factor);
    free(where);
    return 0;
}
