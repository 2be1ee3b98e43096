// recursive: loops that call functions which call themselves, directly and by way of one another, on ranges that shrink.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#define M 13

static int deepest[M];

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

/* From both ends to the middle. */
static void mirror(int *v, int first, int past)
{
    if (past - first < 2)
        return;
    int kept = v[first];
    v[first] = v[past - 1];
    v[past - 1] = kept;
    mirror(v, first + 1, past - 1);
}

/* Halves, and their halves. */
static int sum(const int *v, int first, int past)
{
    if (past - first < 2)
        return first < past ? v[first] : 0;
    int middle = first + (past - first) / 2;
    return sum(v, first, middle) + sum(v, middle, past);
}

static void odd(int *v, int n);

/* Every second element, by turns. */
static void even(int *v, int n)
{
    v[2 * n] = n;
    if (n > 0)
        odd(v, n - 1);
}

static void odd(int *v, int n)
{
    v[2 * n + 1] = -n;
    if (n > 0)
        even(v, n - 1);
}

/* How deep it is goes to a variable of the file, element by element. */
static int collatz(int n, int depth)
{
    deepest[depth % M]++;
    if (n < 2)
        return depth;
    return collatz(n % 2 ? 3 * n + 1 : n / 2, depth + 1);
}

void kernel_mirrored_rows(int n, int m, int *a)
{
    for (int i = 0; i < n; i++) // loop: unknown, because mirror calls itself
        mirror(a + i * m, 0, m);
}

void kernel_sums(int n, int m, int *restrict out, const int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = sum(a, i * m, (i + 1) * m);
}

/* What is beside the call is as it was. */
void kernel_by_turns(int n, int m, int *restrict a, int *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: unknown, because even and odd call one another
        b[i] = 1;
        even(a + i * (2 * m + 1), m);
        b[i] += a[i * (2 * m + 1)];
    }
}

void kernel_depths(int n, int *restrict out)
{
    for (int i = 0; i < n; i++) // loop: unknown, because collatz calls itself
        out[i] = collatz(i + 1, 0);
}

int main(void)
{
    int *a = malloc(N * M * sizeof *a);
    int *b = malloc(N * (2 * M + 1) * sizeof *b);
    int *out = malloc(N * sizeof *out);
    if (!a || !b || !out)
        return 1;
    fill(a, N * M, 3);
    fill(b, N * (2 * M + 1), 5);
    fill(out, N, 1);

    kernel_mirrored_rows(N, M, a);
    show("mirrored rows", a, N * M);
    kernel_sums(N, M, out, a);
    show("sums", out, N);
    kernel_by_turns(N, M, b, out);
    show("by turns", b, N * (2 * M + 1));
    show("beside them", out, N);
    kernel_depths(N, out);
    show("depths", out, N);
    show("deepest", deepest, M);
    free(a);
    free(b);
    free(out);
    return 0;
}
