// members: reductions into members and elements, each of which a scalar can stand for beside its loop.
// sizes: -DN=503 -DM=7
// libraries: m
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 211
#endif
#ifndef M
#define M 9
#endif

struct range {
    double sum, least, greatest, scale;
    float single;
    int count;
    unsigned bits;
    long product;
    _Bool any, all;
};

static double parts[5];
static struct range total;

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_greatest(int n, const double *restrict a, struct range *restrict s)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(max:s->greatest)
        if (a[i] > s->greatest)
            s->greatest = a[i];
}

void kernel_least(int n, const double *restrict a, struct range *restrict s)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(min:s->least)
        s->least = fmin(s->least, a[i]);
}

// Several members in one loop, one more that it reads, and operations of all kinds.
void kernel_members(int n, const double *restrict a, struct range *restrict s)
{
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:s->sum), reduction(+:s->count), reduction(max:s->greatest), reduction(+:s->single)
        s->sum += a[i] * s->scale;
        s->count++;
        s->greatest = a[i] > s->greatest ? a[i] : s->greatest;
        s->single -= (float)a[i];
    }
}

void kernel_bits(int n, const int *restrict b, struct range *restrict s)
{
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(|:s->bits), reduction(*:s->product)
        s->bits |= 1u << (b[i] & 15);
        s->product *= b[i] < 0 ? -1 : 1;
    }
}

void kernel_truth(int n, const int *restrict b, struct range *restrict s)
{
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(||:s->any), reduction(&&:s->all)
        s->any = s->any || b[i] > 5;
        s->all = s->all && b[i] > -3;
    }
}

// The inner loop runs as often in each iteration.
void kernel_nest(int n, int m, const double *restrict a, struct range *restrict s)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:s->sum)
        for (int j = 0; j < m; j++) // loop: parallel, reduction(+:s->sum)
            s->sum += a[i * m + j] * s->scale;
}

// It does not, and in some not at all: `s` need not be there.
void kernel_triangle(int n, const double *restrict a, struct range *restrict s)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:s->sum)
        for (int j = 0; j < i; j++) // loop: parallel, reduction(+:s->sum)
            s->sum += a[i] - a[j];
}

// The pointer need not be there, either, where nothing is counted.
void kernel_rarely(int n, const double *restrict a, struct range *restrict s)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:s->count)
        if (a[i] > 2)
            s->count += 1;
}

// A part of a variable is always there.
void kernel_variable(int n, const double *restrict a, double limit)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:total.count), reduction(+:parts[2]), reduction(min:parts[4])
        if (a[i] > limit) {
            total.count += 1;
            parts[2] += a[i] + parts[1];
            if (a[i] < parts[4])
                parts[4] = a[i];
        }
}

double kernel_local(int n, const double *restrict a)
{
    double own[3] = {1, 2, 3};
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:own[0]), reduction(max:own[1])
        own[0] += a[i];
        own[1] = own[1] < a[i] ? a[i] : own[1];
    }
    return own[0] + own[1] + own[2];
}

void kernel_element(int n, int k, const double *restrict a, double *restrict q)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:q[2 * k + 1])
        q[2 * k + 1] += a[i];
}

void kernel_pointer(int n, const double *restrict a, double *restrict sum)
{
    int i;
    for (i = 0; i < n; i++) // loop: parallel, reduction(+:*sum)
        *sum += a[i];
    *sum += i;
}

// The element may lie among those that are added up.
void kernel_overlap(int n, const double *a, struct range *s)
{
    for (int i = 0; i < n; i++) // loop: parallel_if, reduction(+:s->sum)
        s->sum += a[i];
}

// The element is the host's all the time, the arrays are the device's.
void kernel_steps(int n, int steps, double *restrict b, struct range *restrict s)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 b[i], +2 b[i]), because b is used from step to step
        for (int i = 0; i < n; i++) // loop: parallel
            b[i] = b[i] * 2 - t;
        for (int i = 0; i < n; i++) // loop: parallel, reduction(max:s->greatest)
            if (b[i] > s->greatest)
                s->greatest = b[i];
    }
}

// Here the device needs its value: in the next loop, and in the next step.
void kernel_used(int n, int steps, double *restrict b, double *restrict q)
{
    for (int t = 0; t < steps; t++) { // loop: sequential, pair(+2 q[1], +2 q[1]), because q[1] is used from step to step
        for (int i = 0; i < n; i++) // loop: parallel, reduction(+:q[1])
            q[1] += b[i];
        for (int i = 0; i < n; i++) // loop: parallel
            b[i] = b[i] + (q[1] > 0 ? -1 : q[0]);
    }
}

int main(void)
{
    double *a = malloc(N * M * sizeof *a), *q = calloc(2 * M, sizeof *q), sum = 7;
    int *b = malloc(N * sizeof *b);
    struct range *s = calloc(1, sizeof *s);
    if (!a || !b || !q || !s)
        return 1;
    for (int i = 0; i < N * M; i++) // loop: parallel
        a[i] = i % 7 - 2;
    for (int i = 0; i < N; i++) // loop: parallel
        b[i] = i * 3 % 11 - 4;
    s->scale = 2;
    s->product = 3;
    s->all = 1;
    parts[1] = 2;
    parts[4] = 100;
    kernel_greatest(N, a, s);
    kernel_greatest(0, a, NULL);
    kernel_least(N, a, s);
    kernel_least(0, a, NULL);
    kernel_members(N, a, s);
    kernel_bits(N, b, s);
    kernel_truth(N, b, s);
    kernel_nest(N, M, a, s);
    kernel_nest(N, 0, a, NULL);
    kernel_nest(-3, -2, a, NULL);
    kernel_triangle(N, a, s);
    kernel_rarely(N, a, s);
    kernel_variable(N, a, 1);
    kernel_variable(N, a, 50);
    const double local = kernel_local(N, a);
    kernel_element(N, 3, a, q);
    kernel_element(-1, 1000000, a, NULL);
    kernel_pointer(N, a, &sum);
    kernel_overlap(N, a, s);
    const double all[] = {s->sum, s->least, s->greatest, s->single, s->count, s->bits, (double)s->product, s->any, s->all,
                          total.count, parts[2], parts[4], local, q[7], sum};
    show("all", all, (int)(sizeof all / sizeof all[0]));
    // A structure in the middle of the numbers.
    struct range *inside = (struct range *)(void *)(a + N / 2);
    kernel_overlap(N / 2 + 3, a, inside);
    show("a", a, N / 2 + 1);
    for (int i = 0; i < N * M; i++) // loop: parallel
        a[i] = i % 5 - 1;
    kernel_steps(N, 4, a, s);
    q[0] = 1;
    q[1] = -300;
    kernel_used(N, 5, a, q);
    const double rest[] = {s->greatest, q[0], q[1], a[0], a[N - 1]};
    show("rest", rest, 5);
    free(a);
    free(b);
    free(q);
    free(s);
    return 0;
}
