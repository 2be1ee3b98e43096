// returns: helper functions that return early, from loops, or never write.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
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

#define M 13

/* What is not written must keep its value from before. */
static void put(int *a, int i, int value)
{
    if (value < 0)
        return;
    a[i] = value;
}

static int find(const int *a, int m, int wanted)
{
    for (int j = 0; j < m; j++) // loop: sequential, because it returns early
        if (a[j] == wanted)
            return j;
    return -1;
}

static int least(const int *a, int m)
{
    int found = a[0];
    if (m == 1)
        return found;
    for (int j = 1; j < m; j++) // loop: parallel, reduction(min:found)
        if (a[j] < found)
            found = a[j];
    return found;
}

/* Writes up to the first element that is negative. */
static void clear_until(int *a, int m)
{
    for (int j = 0; j < m; j++) { // loop: sequential, because it returns early
        if (a[j] < 0)
            return;
        a[j] = 0;
    }
    if (m > 0)
        a[0] = 99;
}

static int sign(int value)
{
    switch (value > 0 ? 1 : value < 0 ? -1 : 0) {
    case 1:
        return 1;
    case -1:
        return -1;
    default:
        return 0;
    }
}

void kernel_put(int n, int *restrict a, const int *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        put(a, i, b[i]);
}

void kernel_put_next(int n, int *a)
{
    for (int i = 0; i < n - 1; i++) // loop: sequential, pair(a[i], +1 a[i]), because a[i + 1] is read next
        put(a, i + 1, a[i] - 1);
}

void kernel_find(int n, int m, int *restrict out, const int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = find(a + i * m, m, i % 7 - 3);
}

void kernel_least(int n, int m, int *restrict out, const int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = least(a + i * m, m);
}

void kernel_clear(int n, int m, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        clear_until(a + i * m, m);
}

void kernel_signs(int n, int *restrict out, const int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = sign(a[i]);
}

int main(void)
{
    int *a = malloc(N * M * sizeof *a);
    int *b = malloc(N * M * sizeof *b);
    int *out = malloc(N * sizeof *out);
    if (a == NULL || b == NULL || out == NULL)
        return 1;
    fill(a, N * M, 5);
    fill(b, N * M, 3);
    fill(out, N, 7);
    kernel_put(N * M, a, b);
    show("put", a, N * M);
    kernel_put_next(N * M, a);
    show("put next", a, N * M);
    fill(a, N * M, 3);
    kernel_find(N, M, out, a);
    show("find", out, N);
    kernel_least(N, M, out, a);
    show("least", out, N);
    kernel_clear(N, M, a);
    show("clear", a, N * M);
    kernel_signs(N, out, a);
    show("signs", out, N);
    free(a);
    free(b);
    free(out);
    return 0;
}
