// calls: reductions that are made by functions: through a pointer that they are given, or by what they return.
// sizes: -DN=503
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 211
#endif

struct range {
    double sum, greatest;
};

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

static void add(double *to, double value)
{
    *to += value;
}

static void count(int *to, int value)
{
    *to += value;
}

static void raise(int *to, int value)
{
    if (value > *to)
        *to = value;
}

static double add_and_tell(double *to, double value)
{
    *to += value;
    return *to;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

static int lesser(int a, int b)
{
    if (b < a)
        return b;
    return a;
}

static int sum_of(int a, int b)
{
    return a + b;
}

// Like a maximum, but for what the greater one becomes.
static int farther(int a, int b)
{
    return a > b ? a - b : b;
}

double kernel_add(int n, const double *restrict a)
{
    double sum = 5;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        add(&sum, a[i]);
    return sum;
}

int kernel_raise(int n, const int *restrict b)
{
    int most = -100;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(max:most)
        raise(&most, b[i]);
        raise(&most, 2 * b[i] - 3);
    }
    return most;
}

// By the function, and in its own text.
int kernel_both(int n, const int *restrict b)
{
    int sum = 1;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:sum)
        count(&sum, b[i]);
        sum -= 2 * b[n - 1 - i];
    }
    return sum;
}

// The pointer holds the address of the variable itself: a kernel's copies would be others.
double kernel_held(int n, const double *restrict a)
{
    double sum = 2, *to = &sum;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        add(to, a[i]);
    return sum;
}

void kernel_member(int n, const double *restrict a, struct range *restrict s)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:s->sum)
        add(&s->sum, a[i]);
}

// What it returns is the sum so far.
double kernel_told(int n, const double *restrict a, double *restrict out)
{
    double sum = 0;
    for (int i = 0; i < n; i++) // loop: sequential, pair(*to, *to), because the sum so far is written
        out[i] = add_and_tell(&sum, a[i]);
    return sum;
}

double kernel_greatest(int n, const double *restrict a)
{
    double most = a[0];
    for (int i = 0; i < n; i++) // loop: parallel, reduction(max:most)
        most = greater(most, a[i]);
    return most;
}

void kernel_greatest_member(int n, const double *restrict a, struct range *restrict s)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(max:s->greatest)
        s->greatest = greater(a[i], s->greatest);
}

int kernel_combined(int n, const int *restrict b)
{
    int least = 1000, sum = 3;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(min:least), reduction(+:sum)
        least = lesser(b[i], least);
        sum = sum_of(sum, b[i]);
    }
    return 1000 * least + sum;
}

int kernel_farther(int n, const int *restrict b)
{
    int last = 17;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 last = farther(last, b[i]), +1 last), because each value depends on the one before
        last = farther(last, b[i]);
    return last;
}

int main(void)
{
    double *a = malloc(N * sizeof *a), *out = malloc(N * sizeof *out);
    int *b = malloc(N * sizeof *b);
    struct range *s = calloc(1, sizeof *s);
    if (!a || !b || !out || !s)
        return 1;
    for (int i = 0; i < N; i++) { // loop: parallel
        a[i] = i % 7 - 2;
        b[i] = i * 3 % 11 - 4;
    }
    kernel_member(N, a, s);
    kernel_member(0, a, NULL);
    kernel_greatest_member(N, a, s);
    kernel_greatest_member(0, a, NULL);
    const double told = kernel_told(N, a, out);
    const double all[] = {kernel_add(N, a), kernel_raise(N, b), kernel_both(N, b), kernel_held(N, a), told,
                          kernel_greatest(N, a), kernel_combined(N, b), kernel_farther(N, b), s->sum, s->greatest, out[N / 2]};
    show("all", all, (int)(sizeof all / sizeof all[0]));
    free(a);
    free(b);
    free(out);
    free(s);
    return 0;
}
