// lesser: loops that end at the lesser of two sizes.
#include <stdio.h>

#ifndef N
#define N 3000
#endif
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static int a[N], b[N];
static double matrix[3000], values[60];

static void upto(int n, int m, int *a)
{
    for (int i = 0; i < MIN(n, m); i++) // loop: parallel
        a[i] += 9;
}

static void named(int n, int m, const int *restrict from, int *restrict to)
{
    int k = n < m ? n : m;
    for (int i = 0; i < k; i++) // loop: parallel
        to[i] = from[i] * 2;
}

static long sum(long n, int m, const int *a)
{
    long s = 0;
    for (long i = 0; i < MIN(n, m) - 2; i++) // loop: parallel, reduction(+:s)
        s += a[i];
    return s;
}

/* What is live behind a loop does not rest on a label elsewhere. */
static int cleaned(int n, const int *from, int *to)
{
    int t = 0, least = 0;
    if (n < 0)
        goto fail;
    for (int i = 0; i < n; i++) { // loop: parallel
        t = from[i] / 3;
        to[i] = t + i;
    }
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(min:least)
        t = to[i] - 4;
        least = t < least ? t : least;
    }
    if (least > 7)
        goto fail;
    return least;
fail:
    return -1;
}

/* The diagonal of a matrix that need not be a square. */
static void diagonal(int rows, int columns, double *restrict s, const double *restrict v)
{
    int m = MIN(rows, columns);
    for (int i = 0; i < m; i++) // loop: parallel
        s[i * columns + i] = 2 * v[i];
}

static void first_column(int rows, int columns, double *restrict s)
{
    int m = rows < columns ? rows : columns;
    for (int i = 0; i < m; i++) // loop: parallel
        s[i * columns] -= i;
}

static void of_rows(int rows, int columns, double s[rows][columns])
{
    int m = rows < columns ? rows : columns;
    for (int i = 0; i < m; i++) // loop: parallel
        s[i][i] += i;
}

static int half(int x)
{
    if (x < 0)
        goto negative;
    return x / 2;
negative:
    return -x;
}

static void halved(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = half(a[i]);
}

int main(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        a[i] = i * 7 % 1000;
        b[i] = -i;
    }
    for (int i = 0; i < 60; i++) // loop: parallel
        values[i] = 0.5 * i;
    upto(N, N - 300, a);
    upto(N - 400, N, a);
    upto(-3, N, a);
    named(N - 1, N, a, b);
    halved(N / 2, b);
    long s = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:s)
        s += a[i] + 3L * b[i];
    printf("%ld %ld %ld\n", s, sum(N, N - 5, a), sum(7, N, b));
    diagonal(50, 60, matrix, values);
    diagonal(60, 50, matrix, values);
    diagonal(-4, 50, matrix, values);
    first_column(40, 75, matrix);
    first_column(75, 40, matrix);
    first_column(75, -2, matrix);
    of_rows(40, 75, (double(*)[75])matrix);
    of_rows(75, 40, (double(*)[40])matrix);
    double t = 0;
    for (int i = 0; i < 3000; i++) // loop: parallel, reduction(+:t)
        t += matrix[i] * (i % 7);
    printf("%g\n", t);
    printf("%d %d\n", cleaned(N, a, b), cleaned(-1, a, b));
    return 0;
}
