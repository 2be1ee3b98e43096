// operators: every operation that a loop may reduce by, in every form, into a variable, an element, a member and a section, and forms that are none.
// sizes: -DN=67
// libraries: m
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 101
#endif
#define M 5

struct found {
    int both, bits, odd;
    int least, most;
    bool any, all;
};

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
    printf("%s: %016llx first %d last %d\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

int kernel_difference(int n, const int *a)
{
    int x = 7;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:x)
        x -= a[i] - 2;
    return x;
}

long kernel_product(int n, const int *a)
{
    long x = 3;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(*:x)
        x = (a[i] < 0 ? -1 : 1) * x;
    return x;
}

unsigned kernel_bits(int n, const int *a)
{
    unsigned both = ~0u, either = 0, odd = 5;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(&:both), reduction(|:either), reduction(^:odd)
        both &= (unsigned)(a[i] + 21);
        either = 1u << (a[i] + 5) | either;
        odd ^= (unsigned)a[i] * 31;
    }
    return both + 3 * either + odd;
}

int kernel_truth(int n, const int *a)
{
    bool all = true, any = false, none = true;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(&&:all), reduction(||:any), reduction(&&:none)
        all = all && a[i] > -6;
        any |= a[i] & 4;
        none &= !(a[i] == 9);
    }
    return all + 2 * any + 4 * none;
}

// A number is no truth value: 2 and 1 have no bit in common.
bool kernel_no_truth(int n, const int *a)
{
    bool all = true;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 all &= a[i], +1 all), because what all is depends on its lowest bit // stronger: parallel, of the lowest bits of a[i]
        all &= a[i];
    return all;
}

// The forms of a greatest and a least value.
int kernel_greatest(int n, const int *a)
{
    int m = a[0];
    for (int i = 1; i < n; i++) // loop: parallel, reduction(max:m)
        if (a[i] > m)
            m = a[i];
    return m;
}

int kernel_greatest_turned(int n, const int *a)
{
    int m = a[0];
    for (int i = 1; i < n; i++) { // loop: parallel, reduction(max:m)
        const int now = a[i] * 3;
        if (m <= now) {
            m = now;
        }
    }
    return m;
}

int kernel_greatest_otherwise(int n, const int *a)
{
    int m = a[0];
    for (int i = 1; i < n; i++) { // loop: parallel, reduction(max:m)
        if (a[i] <= m)
            ;
        else
            m = a[i];
        if (!(2 * a[i] < m))
            m = 2 * a[i];
    }
    return m;
}

int kernel_greatest_chosen(int n, const int *a)
{
    int m = a[0], l = a[0];
    for (int i = 1; i < n; i++) { // loop: parallel, reduction(max:m), reduction(min:l)
        m = a[i] > m ? a[i] : m;
        l = l < a[i] ? l : a[i];
    }
    return 100 * m + l;
}

double kernel_farthest(int n, const double *b)
{
    double m = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(max:m)
        if (fabs(b[i]) > m)
            m = fabs(b[i]);
    return m;
}

double kernel_nearest(int n, const double *b)
{
    double m = 1000;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(min:m)
        m = fmin(m, fabs(b[i] - 0.25));
    return m;
}

// Another value is compared than is kept.
double kernel_not_farthest(int n, const double *b)
{
    double m = 0;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+2 m = fabs(b[i] / 2), +1 m), because m becomes less, too
        if (fabs(b[i]) > m)
            m = fabs(b[i] / 2);
    return m;
}

// The condition depends on what is summed up.
int kernel_until(int n, const int *a)
{
    int x = 0;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 x = x < 9 ? x + a[i] : x, +1 x), because the condition reads x
        x = x < 9 ? x + a[i] : x;
    return x;
}

// Through several statements, and under conditions.
int kernel_statements(int n, const int *a, const int *b)
{
    int x = 1;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:x)
        x += a[i];
        if (b[i] > 2) {
            x = b[i] + x;
            continue;
        }
        x = a[i] < 0 ? x : x - b[i];
        x = b[i] < 0 ? x + 1 : x - 1;
        --x;
    }
    return x;
}

// Two operations on one variable.
int kernel_mixed(int n, const int *a)
{
    int x = 1;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 x = a[i] < 0 ? x + 1 : 2 * x % 1000, +1 x), because what is added is doubled later
        x = a[i] < 0 ? x + 1 : 2 * x % 1000;
    return x;
}

static int larger(int p, int q)
{
    if (p > q)
        return p;
    return q;
}

static void add(int *to, int x)
{
    *to += x;
}

int kernel_calls(int n, const int *a)
{
    int sum = 0, most = -100;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:sum), reduction(max:most)
        add(&sum, a[i]);
        most = larger(most, a[i]);
    }
    return 100 * sum + most;
}

void kernel_elements(int n, const int *restrict a, int *restrict x)
{
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(&:x[0]), reduction(|:x[1]), reduction(^:x[2]), reduction(min:x[3]), reduction(max:x[4])
        x[0] &= a[i] + 21;
        x[1] |= a[i] & 6;
        x[2] ^= a[i];
        x[3] = a[i] < x[3] ? a[i] : x[3];
        if (!(a[i] <= x[4]))
            x[4] = a[i];
    }
}

void kernel_members(int n, const int *restrict a, struct found *restrict s)
{
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(&:s->both), reduction(|:s->bits), reduction(^:s->odd), reduction(min:s->least), reduction(max:s->most), reduction(||:s->any), reduction(&&:s->all)
        s->both &= a[i] + 21;
        s->bits |= a[i] & 6;
        s->odd ^= a[i];
        if (a[i] < s->least)
            s->least = a[i];
        s->most = s->most > a[i] ? s->most : a[i];
        s->any |= a[i] > 4;
        s->all &= a[i] > -5;
    }
}

// Each iteration updates the same elements, by one operation each.
void kernel_sections(int n, const int *restrict a, int *restrict sum, int *restrict odd, int *restrict most)
{
    for (int i = 0; i < n; i++) // loop: parallel, section(+:sum), section(^:odd), section(max:most)
        for (int j = 0; j < M; j++) { // loop: parallel
            sum[j] += a[i] * j;
            odd[j] ^= a[i] + j;
            most[j] = a[i] - j > most[j] ? a[i] - j : most[j];
        }
}

int main(void)
{
    int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    double *c = malloc(N * sizeof *c);
    if (!a || !b || !c)
        return 1;
    fill(a, N, 3);
    fill(b, N, 5);
    for (int i = 0; i < N; i++) // loop: parallel
        c[i] = a[i] * 0.5;
    printf("difference %d, product %ld, bits %u\n", kernel_difference(N, a), kernel_product(N, a), kernel_bits(N, a));
    printf("truth %d %d\n", kernel_truth(N, a), kernel_no_truth(N, a));
    printf("greatest %d %d %d %d\n", kernel_greatest(N, a), kernel_greatest_turned(N, b), kernel_greatest_otherwise(N, a), kernel_greatest_chosen(N, b));
    printf("farthest %g %g, nearest %g\n", kernel_farthest(N, c), kernel_not_farthest(N, c), kernel_nearest(N, c));
    printf("until %d, statements %d", kernel_until(N, a), kernel_statements(N, a, b));
    // Two parts of one array.
    printf(" %d, mixed %d, calls %d\n", kernel_statements(N - 1, a + 1, a), kernel_mixed(N, a), kernel_calls(N, a));
    int x[5] = {-1, 0, 3, 2, -2};
    kernel_elements(N, a, x);
    show("elements", x, 5);
    struct found s = {-1, 0, 3, 2, -2, false, true};
    kernel_members(N, a, &s);
    printf("members %d %d %d %d %d %d %d\n", s.both, s.bits, s.odd, s.least, s.most, s.any, s.all);
    int sum[M] = {1}, odd[M] = {2}, most[M] = {-9};
    kernel_sections(N, a, sum, odd, most);
    show("sum", sum, M);
    show("odd", odd, M);
    show("most", most, M);
    free(a);
    free(b);
    free(c);
    return 0;
}
