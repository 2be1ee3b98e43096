// members: data behind members of structures that are parameters, local, global, and behind pointers.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

struct series {
    double *now;
    int size;
    double *before;
    double *unused;
    double first[4];
};

static struct series shared;

static void fill(double *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (double)((i * step + i / 16) % 11 - 5);
}

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

static void show_all(const struct series *s)
{
    show("now", s->now, s->size);
    show("before", s->before, s->size);
    show("first", s->first, 4);
    printf("size %d, unused %s\n", s->size, s->unused ? "there" : "null");
}

/* The structure by its own name; the second kernel finds what the first one left. */
void kernel_value(struct series s, const double *restrict x, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        s.now[i] += x[i] * s.size;
    for (int i = 1; i < n; i++) // loop: parallel_if
        s.before[i] = s.now[i] - s.now[i - 1];
}

/* Behind a pointer; the bound is a member too. */
void kernel_pointer(struct series *s, const double *restrict x)
{
    for (int i = 0; i < s->size; i++) // loop: parallel_if
        s->now[i] += x[i] + s->before[i];
}

/* What is not read when nothing runs must not be read before: s may be null. */
void kernel_count(struct series *s, int n)
{
    for (int i = 3; i < n; i++) // loop: parallel_if
        s->before[i] = s->before[i] * 2 + 1;
}

/* What the first loop knows of the pointer does not say that it is there for the second. */
void kernel_twice(struct series *s, const double *restrict x, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        s->now[i] = x[i] + 1;
    for (int i = 0; i < n; i++) // loop: parallel_if
        s->now[i] = s->now[i] * 2 - x[i];
}

/* Read under a condition only: the pointer may be null otherwise. */
void kernel_optional(struct series *s, double *restrict y, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        if (s->unused)
            y[i] += s->unused[i];
        else
            y[i] += 1.0;
}

/* The structure is written, too: its pointers stay those of the host. */
void kernel_first(struct series *s)
{
    for (int i = 0; i < 4; i++) // loop: parallel_if
        s->first[i] = s->now[i] + s->now[i + 4];
}

/* Perhaps one structure by two names. */
void kernel_two(struct series *s, struct series *t, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        s->now[i] += t->before[i] * 3;
}

void kernel_shared(int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        shared.now[i] = shared.before[n - 1 - i] + shared.size;
}

void kernel_local(double *x, double *y, int n)
{
    struct series s = {x, n, y, NULL, {0, 0, 0, 0}};

    for (int i = 0; i < n; i++) // loop: parallel_if
        s.now[i] = s.before[i] + s.size;
}

int main(void)
{
    double *now = malloc(N * sizeof *now);
    double *before = malloc(N * sizeof *before);
    double *x = malloc(N * sizeof *x);
    struct series *s = calloc(1, sizeof *s);

    s->now = now;
    s->before = before;
    s->size = N;
    fill(now, N, 5);
    fill(before, N, 3);
    fill(x, N, 7);
    kernel_value(*s, x, N);
    show_all(s);
    kernel_pointer(s, x);
    show_all(s);
    kernel_count(s, N);
    kernel_count(NULL, 2);
    kernel_count(NULL, -5);
    show_all(s);
    kernel_twice(s, x, N);
    kernel_twice(NULL, x, 0);
    kernel_optional(s, x, N);
    kernel_optional(NULL, x, 0);
    show("x", x, N);
    s->unused = now;
    kernel_optional(s, x, N);
    show("x", x, N);
    s->unused = NULL;
    kernel_first(s);
    show_all(s);
    kernel_two(s, s, N);
    show_all(s);
    shared = *s;
    kernel_two(s, &shared, N);
    kernel_shared(N);
    kernel_shared(0);
    show_all(&shared);
    kernel_local(x, before, N);
    kernel_local(x, x, N - 1);
    kernel_local(NULL, NULL, 0);
    show("x", x, N);
    // One array behind both members.
    s->before = now;
    kernel_value(*s, x, N);
    kernel_pointer(s, x);
    show_all(s);
    // Data that lie in the structure.
    s->before = s->first;
    s->size = 4;
    kernel_pointer(s, x);
    kernel_count(s, 4);
    kernel_first(s);
    show_all(s);
    free(now);
    free(before);
    free(x);
    free(s);
    return 0;
}
