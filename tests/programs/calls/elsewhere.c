// elsewhere: functions that another file of the program defines: some do nothing but compute, some keep a state there.
// files: elsewhere.c elsewhere_other.c
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

int weigh(int x);
int counted(int x);
int looked_up(int x);
int depth_of(int x);
void set_limit(int x);
int *lent(void);

struct sample {
    int at;
    int first;
    int span;
    int kept[4];
};

int value_of(const struct sample *s);
int total(const struct sample *s);

extern int limit;

static int scale = 3;

/* The other file has one of this name, too. */
static int mixed(int x)
{
    return x * scale;
}

int depth_from_here(int x)
{
    return x > 0 ? 1 + depth_of(x - 2) : 0;
}

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

void kernel_weighed(int n, int *restrict a, const int *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = weigh(b[i]) + mixed(i);
}

void kernel_deep(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] += depth_from_here(i % 9);
}

void kernel_counted(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: sequential, because counted keeps a state in its file
        a[i] = counted(a[i]);
}

/* What the loop writes may be the table, whose address the other file gives away. */
void kernel_looked_up(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: unknown
        a[i] = looked_up(i);
}

void kernel_limited(int *restrict a)
{
    for (int i = 0; i < limit; i++) { // loop: sequential, pair(limit, +0 limit), because set_limit changes how often it runs
        if (i == 7)
            set_limit(11);
        a[i] += i;
    }
}

/* What the other file reads beside the member that is set comes from before the loop. */
void kernel_sampled(int n, int *restrict a, struct sample *restrict s)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 s->at, s->at), as the structure would have to be copied in
        s->at = i;
        a[i] += value_of(s);
    }
}

/* Of an array of them, each has its own. */
void kernel_samples(int n, int *restrict a, struct sample *restrict s)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        s[i].at = 2 * i;
        a[i] += value_of(s + i) + total(&s[i]);
    }
}

int main(void)
{
    int *a = malloc(N * sizeof *a);
    int *b = malloc(N * sizeof *b);
    if (a == NULL || b == NULL)
        return 1;
    fill(a, N, 5);
    fill(b, N, 3);
    kernel_weighed(N, a, b);
    show("weighed", a, N);
    kernel_deep(N, a);
    show("deep", a, N);
    kernel_counted(N, a);
    show("counted", a, N);
    kernel_looked_up(N, a);
    show("looked up", a, N);
    kernel_looked_up(4, lent());
    show("the table", lent(), 4);
    set_limit(N);
    kernel_limited(a);
    show("limited", a, N);
    struct sample *s = malloc(N * sizeof *s);
    if (s == NULL)
        return 1;
    for (int i = 0; i < N; i++) { // loop: parallel
        s[i].first = i % 4;
        s[i].span = 1 + i % 3;
        s[i].kept[0] = i;
        s[i].kept[1] = 3 - i;
        s[i].kept[2] = 2 * i;
        s[i].kept[3] = 7;
    }
    kernel_sampled(N, a, s);
    show("sampled", a, N);
    kernel_samples(N, a, s);
    show("samples", a, N);
    free(s);
    free(a);
    free(b);
    return 0;
}
