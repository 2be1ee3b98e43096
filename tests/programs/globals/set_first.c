// set_first: static scalars that several functions use as scratch, through macros and by name, and those that one of them hands on to the next call.
// sizes: -DN=27
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 40
#endif

static double squared;
#define SQUARE(x) ((squared = (x)) == 0.0 ? 0.0 : squared * squared)

static int first_of_two, second_of_two;
#define LARGER(x, y) (first_of_two = (x), second_of_two = (y), first_of_two > second_of_two ? first_of_two : second_of_two)

/* What is left in these is read: by the next call, by another function, behind a call, and where a loop may not have run. */
static int handed, asked, behind_call, if_any;

void kernel_squares(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel, private(squared)
        a[i] = SQUARE(b[i]) + a[i];
}

double kernel_sum(int n, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum), private(squared)
        sum += SQUARE(b[i]);
    return sum;
}

void kernel_larger(int n, int *restrict v, const int *restrict w)
{
    for (int i = 0; i < n; i++) // loop: parallel, private(first_of_two), private(second_of_two)
        v[i] = LARGER(w[i], v[i]);
}

/* Sets it again after a call, before it reads it. */
double kernel_between(int n, double *restrict a, const double *restrict b)
{
    squared = n;
    double sum = squared;
    sum += kernel_sum(n, b);
    squared = sum;
    for (int i = 0; i < n; i++) // loop: parallel, private(squared)
        a[i] = SQUARE(a[i]) / sum;
    return sum;
}

void kernel_hands(int n, int *restrict v)
{
    v[0] += handed;
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(handed)
        handed = v[i] + 1;
        v[i] = handed * 2;
    }
}

void kernel_asks(int n, int *restrict v)
{
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(asked)
        asked = 3 * v[i];
        v[i] = asked - 1;
    }
}

static int answer(void)
{
    return asked;
}

static void set_behind(int x)
{
    behind_call = x + 5;
}

void kernel_behind(int n, int *restrict v)
{
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(behind_call)
        behind_call = v[i] % 7;
        v[i] += behind_call;
    }
}

static int after_behind(int x)
{
    behind_call = 0;
    set_behind(x);
    return behind_call;
}

int kernel_if_any(int n, int m, int *restrict v)
{
    for (int i = 0; i < m; i++) // loop: parallel, lastprivate(if_any)
        if_any = v[i] % 5;
    int found = if_any;
    for (int i = 0; i < n; i++) { // loop: parallel, lastprivate(if_any)
        if_any = v[i] & 3;
        v[i] += if_any;
    }
    return found;
}

static double checksum(const double *a, int n)
{
    double h = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:h)
        h += a[i] * (i % 5 + 1);
    return h;
}

static long sum_of(const int *v, int n)
{
    long h = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:h)
        h += (long)v[i] * (2 * i + 1);
    return h;
}

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    int *v = malloc(N * sizeof *v), *w = malloc(N * sizeof *w);
    if (!a || !b || !v || !w)
        return 1;
    for (int i = 0; i < N; i++) { // loop: parallel
        a[i] = i % 7 * 0.25;
        b[i] = (i * 5) % 11 * 0.5;
        v[i] = i % 9;
        w[i] = (i * 3) % 8;
    }
    kernel_squares(N, a, b);
    printf("%.4f %.4f\n", checksum(a, N), kernel_sum(N, b));
    printf("%.4f", kernel_between(N, a, b));
    printf(" %.4f\n", checksum(a, N));
    kernel_larger(N, v, w);
    printf("%ld\n", sum_of(v, N));
    kernel_hands(N, v);
    kernel_hands(N, v);
    kernel_asks(N, v);
    kernel_behind(N, v);
    printf("%ld %d %d\n", sum_of(v, N), answer(), after_behind(4));
    printf("%d", kernel_if_any(N, N, v));
    printf(" %d", kernel_if_any(N, 0, v));
    printf(" %ld\n", sum_of(v, N));
    free(a);
    free(b);
    free(v);
    free(w);
    return 0;
}
