// structures_first: structures that a kernel writes, beside data behind their members that it only reads: the clauses name the structures first.
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 13
#endif

struct column {
    int n;
    double *data;
    double own[N];
};

static double a[N];
static struct column global;

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

double kernel_value(struct column c)
{
    for (int i = 0; i < N; i++) // loop: parallel
        c.own[i] = c.data[i] + 1;
    return c.own[0] + c.own[N - 1];
}

void kernel_pointer(struct column *c)
{
    for (int i = 0; i < N; i++) // loop: parallel_if
        c->own[i] = c->data[i] * 2;
}

void kernel_global(void)
{
    for (int i = 0; i < N; i++) // loop: parallel_if
        global.own[i] = global.data[i] + 3;
}

void kernel_both(struct column *c, double *data)
{
    c->data = data;
    for (int i = 0; i < N; i++) { // loop: parallel_if
        c->own[i] += i;
        c->data[i] += 5;
    }
}

int main(void)
{
    struct column c = { N, a, { 0 } };
    for (int i = 0; i < N; i++) // loop: parallel
        a[i] = i % 5;
    printf("%g\n", kernel_value(c));
    kernel_pointer(&c);
    show("c", c.own, N);
    c.data = c.own;
    kernel_pointer(&c);
    show("c", c.own, N);
    global = (struct column){ N, a, { 0 } };
    kernel_global();
    show("global", global.own, N);
    global.data = global.own;
    kernel_global();
    show("global", global.own, N);
    kernel_both(&c, a);
    show("c", c.own, N);
    show("a", a, N);
    kernel_both(&c, c.own);
    show("c", c.own, N);
    return 0;
}
