// totals: sums into members of structures and elements of arrays, which no reduction clause names.
// sizes: -DN=503
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 211
#endif

struct totals {
    int count;
    double sum, square;
    long part[5];
};

static long totals[4], rows[3][5];
static struct totals global;

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_member(int n, const double *restrict a, struct totals *restrict s)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:s->sum)
        s->sum += a[i];
}

void kernel_variable(int n, const double *restrict a, struct totals *restrict out)
{
    struct totals s = *out;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:s.square)
        s.square += a[i] * a[i];
    *out = s;
}

void kernel_global(int n, const double *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:global.count)
        if (a[i] > 0)
            global.count++;
}

void kernel_element(int n, const int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:totals[2])
        totals[2] += a[i];
}

void kernel_elements(int n, const int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:rows[1][3]), reduction(+:rows[2][0])
        rows[1][3] += a[i];
        rows[2][0] -= a[n - 1 - i];
    }
}

void kernel_pointer(int n, const double *restrict a, double *restrict sum)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:*sum)
        *sum += a[i];
}

void kernel_product(int n, const int *restrict a, struct totals *restrict s)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(*:s->part[3])
        s->part[3] *= a[i] < 0 ? -1 : 1;
}

void kernel_greatest(int n, const int *restrict a, struct totals *restrict s)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(max:s->part[1])
        if (a[i] > s->part[1])
            s->part[1] = a[i];
}

int main(void)
{
    double *a = malloc(N * sizeof *a), sum = 7;
    int *b = malloc(N * sizeof *b);
    struct totals *s = calloc(1, sizeof *s);
    if (!a || !b || !s)
        return 1;
    for (int i = 0; i < N; i++) { // loop: parallel
        a[i] = i % 7 - 2;
        b[i] = i * 3 % 11 - 4;
    }
    s->part[3] = 5;
    s->part[4] = 11;
    totals[1] = 3;
    rows[1][3] = 1;
    kernel_member(N, a, s);
    kernel_variable(N, a, s);
    kernel_global(N, a);
    kernel_element(N, b);
    kernel_elements(N, b);
    kernel_pointer(N, a, &sum);
    kernel_product(N, b, s);
    kernel_greatest(N, b, s);
    const double all[] = {s->count, s->sum, s->square, (double)s->part[0], (double)s->part[1], (double)s->part[3], (double)s->part[4],
                          global.count, (double)totals[1], (double)totals[2], (double)rows[1][3], (double)rows[2][0], sum};
    show("all", all, (int)(sizeof all / sizeof all[0]));
    kernel_member(0, a, NULL);
    free(a);
    free(b);
    free(s);
    return 0;
}
