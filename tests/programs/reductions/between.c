// between: sums and greatest values in several statements, through variables that nothing else reads, and through some that something else does.
// sizes: -DN=67
// libraries: m
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 101
#endif
#define M 5

struct point {
    double x, y;
};

struct found {
    double sum, most;
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

int kernel_sum(int n, const int *a)
{
    int s = 3;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:s)
        int t = s + a[i];
        s = t;
    }
    return s;
}

int kernel_sum_taken_out(int n, const int *a)
{
    int s = 4, t;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:s), private(t)
        t = s;
        t = t + a[i];
        s = t;
    }
    return s;
}

// The element is in the variable first.
long kernel_product(int n, const int *a)
{
    long s = 1;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(*:s)
        long t = a[i] < 0 ? -1 : 1;
        t = t * s;
        s = t;
    }
    return s;
}

int kernel_under_a_condition(int n, const int *a)
{
    int s = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:s)
        if (a[i] > 0) {
            const int twice = 2 * a[i];
            const int t = s + twice;
            s = t;
        }
    return s;
}

int kernel_inside(int n, const int *a, int *restrict row)
{
    int s = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:s)
        int t;
        row[i] = 0;
        for (int j = 0; j < M; j++) { // loop: parallel, reduction(+:s), private(t)
            t = s;
            t -= a[(i + j) % n];
            s = t;
        }
    }
    return s;
}

void kernel_member(int n, const double *b, struct found *found)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if, reduction(+:found->sum)
        const double t = found->sum + b[i];
        found->sum = t;
    }
}

// The sum so far is kept.
int kernel_kept(int n, const int *a, int *kept)
{
    int s = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 s = t, +1 s), because each sum is stored
        int t = s + a[i];
        s = t;
        kept[i] = t;
    }
    return s;
}

// The sum without the last element is used afterwards.
int kernel_used_afterwards(int n, const int *a)
{
    int s = 0, t = 9;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 s = t + a[i], +1 s), because t is used after the loop
        t = s;
        s = t + a[i];
    }
    return 100 * s + t;
}

// Here t is the whole sum, if there is one iteration at least.
int kernel_whole_afterwards(int n, const int *a)
{
    int s = 2, t = 9;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 s = t, +1 s), because t is used after the loop
        t = s + a[i];
        s = t;
    }
    return 100 * s + t;
}

// What is added in between is lost.
int kernel_lost(int n, const int *a)
{
    int s = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 s = t + a[i], +1 s), because s is set to what it was before
        int t = s;
        s += 7;
        s = t + a[i];
    }
    return s;
}

// The variable has a sum of before.
unsigned kernel_older(int n, const int *a, int *row)
{
    unsigned s = 0, t;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+5 s = t, +1 s), because t has the sum so far when it is added
        t = s + (unsigned)a[i];
        s = t;
        row[i] = 1;
        t = t + s;
        s = t;
    }
    return s;
}

// What is read hangs on the sum so far.
int kernel_read_by_sum(int n, const int *a)
{
    int s = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 s = s + u, +1 s), because the sum so far says which element is added
        const int t = s & 31;
        const int u = a[(t + i) % n];
        s = s + u;
    }
    return s;
}

// A narrower variable: the sum so far is cut off, which is no sum.
int kernel_narrow(int n, const int *a)
{
    int s = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 s = t, +1 s), because t has eight bits
        const int8_t t = (int8_t)(s + 40 * a[i]);
        s = t;
    }
    return s;
}

// The subscript changes in between.
void kernel_moved(int n, const int *a, int *sums)
{
    for (int i = 0; i + 1 < n; i++) { // loop: sequential, pair(+4 sums[k], +2 sums[k]), because each sum goes to the next place
        int k = i;
        int t = sums[k] + a[i];
        k = k + 1;
        sums[k] = t;
    }
}

int kernel_greatest(int n, const int *a)
{
    int m = a[0];
    for (int i = 1; i < n; i++) { // loop: parallel, reduction(max:m)
        if (a[i] <= m)
            continue;
        m = a[i];
    }
    return m;
}

int kernel_least(int n, const int *a)
{
    int m = 50, twice = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(min:m), reduction(+:twice)
        if (a[i] == 3)
            continue;
        twice += 2;
        const int now = a[i] * 2 + 1;
        if (m < now) {
            continue;
        }
        m = now;
    }
    return 1000 * m + twice;
}

// How often the greatest value changed is what the order gives.
int kernel_changes(int n, const int *a)
{
    int m = -9, changes = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 m = a[i], +1 m), because changes counts what the order gives
        if (a[i] <= m)
            continue;
        m = a[i];
        changes++;
    }
    return 100 * m + changes;
}

// Not at the end: what follows is left out where the value is not greater.
int kernel_left_out(int n, const int *a, int *flags)
{
    int m = -9;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+4 m = a[i], +2 m), because flags[i] hangs on the greatest value so far
        {
            if (a[i] <= m)
                continue;
            m = a[i];
        }
        flags[i] = 1;
    }
    return m;
}

// Another value is kept than is compared.
int kernel_other_kept(int n, const int *a)
{
    int m = -9;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 m = a[i] - 1, +1 m), because m may become less
        if (a[i] <= m)
            continue;
        m = a[i] - 1;
    }
    return m;
}

double kernel_farthest(int n, const struct point *p)
{
    double m = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(max:m)
        if (fabs(p[i].x) + fabs(p[i].y) > m)
            m = fabs(p[i].x) + fabs(p[i].y);
    return m;
}

// x twice.
double kernel_not_farthest(int n, const struct point *p)
{
    double m = 0;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+2 m = fabs(p[i].x) + fabs(p[i].x), +1 m), because m may become less
        if (fabs(p[i].x) + fabs(p[i].y) > m)
            m = fabs(p[i].x) + fabs(p[i].x);
    return m;
}

double kernel_nearest(int n, const struct point *p)
{
    double m = 100;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(min:m)
        if (fabs(p[i].x - p[i].y) >= m)
            continue;
        m = fabs(p[i].x - p[i].y);
    }
    return m;
}

double kernel_greater(int n, const double *b)
{
    double m = -10, t;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(max:m), private(t)
        t = fmax(m, b[i]);
        m = t;
    }
    return m;
}

void kernel_most(int n, const double *b, struct found *found)
{
    for (int i = 0; i < n; i++) // loop: parallel_if, reduction(max:found->most)
        if (fabs(b[i]) > found->most)
            found->most = fabs(b[i]);
}

// The same variable for two sums, one after the other.
int kernel_two(int n, const int *a)
{
    int s = 0, bits = 0, t;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:s), reduction(^:bits), private(t)
        t = s + a[i];
        s = t;
        t = bits ^ (a[i] & 7);
        bits = t;
    }
    return 100 * s + bits;
}

static void add(double *sum, double x)
{
    const double t = *sum + x; *sum = t;
}

double kernel_called(int n, const double *b)
{
    double s = 1;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:s)
        add(&s, b[i]);
    return s;
}

int main(void)
{
    int *a = malloc(N * sizeof *a);
    int *b = malloc(N * sizeof *b);
    double *c = malloc(N * sizeof *c);
    struct point *p = malloc(N * sizeof *p);
    struct found found = {0.5, -1};
    struct found inside[N];
    fill(a, N, 7);
    fill(b, N, 3);
    for (int i = 0; i < N; i++) { // loop: parallel
        c[i] = a[i] * 0.25;
        p[i].x = a[i] * 0.5;
        p[i].y = b[i] * 0.25;
        inside[i].sum = 0.25 * i;
        inside[i].most = 1 + i;
    }
    printf("sums %d %d %ld %d", kernel_sum(N, a), kernel_sum_taken_out(N, a), kernel_product(N, a),
           kernel_under_a_condition(N, a));
    printf(" %d %d %d\n", kernel_inside(N, a, b), kernel_sum(0, a), kernel_two(N, a));
    show("row", b, N);
    printf("orders %d", kernel_kept(N, a, b));
    show(" kept", b, N);
    printf("%d %d %d", kernel_used_afterwards(N, a), kernel_used_afterwards(0, a), kernel_whole_afterwards(N, a));
    printf(" %d %u %d %d\n", kernel_lost(N, a), kernel_older(9, a, b), kernel_read_by_sum(N, a), kernel_narrow(N, a));
    kernel_moved(N, a, b);
    show("moved", b, N);
    printf("greatest %d %d %d", kernel_greatest(N, a), kernel_least(N, a), kernel_changes(N, a));
    printf(" %d %d\n", kernel_left_out(N, a, b), kernel_other_kept(N, a));
    show("flags", b, N);
    printf("%.3f %.3f %.3f %.3f %.3f\n", kernel_farthest(N, p), kernel_not_farthest(N, p), kernel_nearest(N, p),
           kernel_greater(N, c), kernel_called(N, c));
    kernel_member(N, c, &found);
    kernel_most(N, c, &found);
    printf("found %.3f %.3f\n", found.sum, found.most);
    kernel_member(2 * N, &inside[0].sum, &inside[N / 2]);
    kernel_most(2 * N, &inside[0].sum, &inside[N / 3]);
    printf("inside %.3f %.3f\n", inside[N / 2].sum, inside[N / 3].most);
    free(p);
    free(c);
    free(b);
    free(a);
    return 0;
}
