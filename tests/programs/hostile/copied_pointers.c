// copied_pointers: kernels that would copy a structure with pointers of the host: assigned, passed by value, read through a pointer; and copies that are made before.
// sizes: -DN=83
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 61
#endif

struct strip {
    int n;
    double *to;
};

double field[N];

static void show(const char *name)
{
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(field[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, field[0], field[N / 2], field[N - 1]);
}

static void set(struct strip s, int i)
{
    s.to[i] = i + 1;
}

static struct strip same(struct strip s)
{
    return s;
}

void kernel_assigned(int n)
{
    struct strip s = {n, field};
    for (int i = 0; i < n; i++) { // loop: parallel
        struct strip t = s;
        t.to[i] = i;
    }
}

void kernel_passed(int n)
{
    struct strip s = {n, field};
    for (int i = 0; i < n; i++) // loop: parallel
        set(s, i);
}

void kernel_read(int n, const struct strip *restrict s)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if
        struct strip t = *s;
        t.to[i] = 2 * i;
    }
}

void kernel_returned(int n)
{
    struct strip s = {n, field};
    for (int i = 0; i < n; i++) { // loop: parallel
        struct strip t = same(s);
        t.to[i] = 3 * i;
    }
}

void kernel_before(int n)
{
    struct strip s = {n, field};
    struct strip t = s;
    for (int i = 0; i < t.n; i++) // loop: parallel
        t.to[i] = 4 * i;
}

/* The bound is the copy's, whatever becomes of the original. */
void kernel_changed(struct strip *s)
{
    struct strip t = *s;
    s->n = 1;
    for (int i = 0; i < t.n; i++) // loop: parallel
        field[i] = 5 * i;
}

/* Put together by the iteration itself. */
void kernel_own(int n, double *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        struct strip t = {1, a + i};
        set(t, 0);
    }
}

int main(void)
{
    struct strip s = {N, field};
    kernel_assigned(N);
    show("assigned");
    kernel_passed(N);
    show("passed");
    kernel_read(N, &s);
    show("read");
    kernel_returned(N);
    show("returned");
    kernel_before(N);
    show("before");
    kernel_changed(&s);
    show("changed");
    kernel_own(N, field);
    show("own");
    printf("n %d\n", s.n);
    return 0;
}
