// large: functions that are too large to be walked where they are called; what they touch is known by sections.
// sizes: -DN=41
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 19
#endif
#define M 13

/* More statements than are walked at a call; t stays a small integer. */
#define MIX(t) t = t + 5; t = t * 2; t = t > 64 ? t - 61 : t; t = t > 32 ? t - 31 : t; t = t + 1;
#define MIX4(t) MIX(t) MIX(t) MIX(t) MIX(t)
#define MIX16(t) MIX4(t) MIX4(t) MIX4(t) MIX4(t)
#define LARGE(t) MIX16(t) MIX16(t) MIX16(t)

struct pair {
    int left[4];
    int right;
};

static int shift = 2;
static int state;
static int *kept;

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

void row(int *p, int n)
{
    for (int j = 0; j < n; j++) { // loop: parallel
        double t = p[j] & 31;
        LARGE(t)
        p[j] = (int)t;
    }
}

/* The last element only if there are enough. */
void ends(int *p, int n, int wide)
{
    double t = p[0] & 31;
    LARGE(t)
    if (wide)
        p[n - 1] += (int)t;
    p[0] = (int)t;
}

/* It changes the bound that it uses, before and after. */
void shrinking(int *p, int n)
{
    double t = n & 31;
    LARGE(t)
    n = n / 2;
    for (int j = 0; j < n; j++) // loop: parallel
        p[j] = (int)t + j;
    n = 0;
}

/* How far it goes depends on a variable that the caller may change. */
void shifted(int *p)
{
    double t = p[0] & 31;
    LARGE(t)
    p[shift] = (int)t;
}

/* An early return, a step back, a pointer that walks. */
int walked(const int *p, int n)
{
    double t = 1;
    int sum = 0;
    LARGE(t)
    for (const int *q = p; q < p + n; q++) { // loop: sequential, because it may return
        if (*q == 99)
            return -1;
        sum += *q;
    }
    return sum + (int)t;
}

void keeping(int *p)
{
    double t = p[0] & 31;
    LARGE(t)
    p[0] = (int)t;
    kept = p;
}

void through(int **p, int i)
{
    double t = i & 31;
    LARGE(t)
    (*p)[i] = (int)t;
}

int deep(int *p, int n)
{
    double t = n & 31;
    LARGE(t)
    if (n > 0) {
        p[n - 1] = (int)t;
        deep(p, n - 1);
    }
    return (int)t;
}

void member(struct pair *p)
{
    double t = p->right & 31;
    LARGE(t)
    for (int j = 0; j < 4; j++) // loop: parallel
        p->left[j] += (int)t;
}

void counting(int *p)
{
    double t = p[0] & 31;
    LARGE(t)
    p[0] = (int)t;
    state++;
}

/* A large function that calls another. */
void two_rows(int *p, int n)
{
    double t = n & 31;
    LARGE(t)
    if (t > 0)
        row(p, n);
    row(p + n, n);
}

void copied(int *to, const int *from, int n)
{
    double t = n & 31;
    LARGE(t)
    for (int j = 0; j < n; j++) // loop: parallel_if
        to[j] = from[j] + (int)t;
}

void kernel_rows(int n, int m, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        row(a + i * m, m);
}

void kernel_overlapping_rows(int n, int m, int *a)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 row(a + i * m, m + 1), +1 row(a + i * m, m + 1)), because a row ends in the next
        row(a + i * m, m + 1);
}

void kernel_two_rows(int n, int m, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        two_rows(a + 2 * i * m, m);
}

void kernel_ends(int n, int m, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel_if // m > 0
        ends(a + i * m, m, i % 2);
}

void kernel_shrinking(int n, int m, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        shrinking(a + i * m, 2 * m);
}

void kernel_shifted(int n, int m, int *a)
{
    for (int i = 0; i < n; i++) // loop: unknown, because shift is read inside
        shifted(a + i * m);
}

void kernel_walked(int n, int m, int *restrict out, const int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = walked(a + i * m, m);
}

void kernel_keeping(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 keeping(a + i), +1 keeping(a + i)), because the last one is kept
        keeping(a + i);
}

void kernel_through(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: unknown
        through(&a, i);
}

void kernel_deep(int n, int m, int *a)
{
    for (int i = 0; i < n; i++) // loop: unknown, because deep calls itself
        deep(a + i * m, m);
}

void kernel_members(int n, struct pair *pairs)
{
    for (int i = 0; i < n; i++) // loop: parallel
        member(&pairs[i]);
}

/* Every second call touches the same structure. */
void kernel_same_members(int n, struct pair *pairs)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 member(&pairs[i / 2]), +1 member(&pairs[i / 2])), because two iterations share one structure
        member(&pairs[i / 2]);
}

void kernel_counting(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 counting(a + i), +1 counting(a + i)), because state counts
        counting(a + i);
}

/* What is copied may be what is written. */
void kernel_copied(int n, int m, int *to, const int *from)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        copied(to + i * m, from + i * m, m);
}

void kernel_copied_down(int n, int m, int *a)
{
    for (int i = 1; i < n; i++) // loop: sequential, pair(+1 copied(a + i * m, a + (i - 1) * m, m), +1 copied(a + i * m, a + (i - 1) * m, m)), because each row is copied from the one before
        copied(a + i * m, a + (i - 1) * m, m);
}

int main(void)
{
    int *a = malloc(2 * N * M * sizeof *a);
    int *b = malloc(2 * N * M * sizeof *b);
    int *out = malloc(N * sizeof *out);
    struct pair *pairs = malloc(N * sizeof *pairs);
    if (a == NULL || b == NULL || out == NULL || pairs == NULL)
        return 1;
    fill(a, 2 * N * M, 5);
    fill(b, 2 * N * M, 3);
    fill((int *)pairs, 5 * N, 7);
    kernel_rows(N, M, a);
    show("rows", a, N * M);
    kernel_overlapping_rows(N, M, a);
    show("overlapping rows", a, 2 * N * M);
    kernel_two_rows(N, M, a);
    show("two rows", a, 2 * N * M);
    kernel_ends(N, M, a);
    show("ends", a, N * M);
    kernel_shrinking(N, M, a);
    show("shrinking", a, 2 * N * M);
    kernel_shifted(N, M, a);
    show("shifted", a, 2 * N * M);
    kernel_walked(N, M, out, a);
    show("walked", out, N);
    kernel_keeping(N, a);
    *kept = 77;
    show("keeping", a, N);
    kernel_through(N, a);
    show("through", a, N);
    kernel_deep(N, M, a);
    show("deep", a, N * M);
    kernel_members(N, pairs);
    kernel_same_members(N, pairs);
    show("members", (int *)pairs, 5 * N);
    kernel_counting(N, a);
    show("counting", a, N);
    printf("state %d\n", state);
    kernel_copied(N, M, b, a);
    kernel_copied(N - 1, M, a + M, a);
    show("copied", b, N * M);
    kernel_copied_down(N, M, a);
    show("copied down", a, N * M);
    free(a);
    free(b);
    free(out);
    free(pairs);
    return 0;
}
