// shared_arrays: static work arrays that several functions use, each of which fills them before it reads them, and those that hand something on.
// sizes: -DN=27
// not: reversed
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 40
#endif
#define LINE 64

static double line[LINE], other[LINE];
static struct {
    double left, right;
} ends;

/* What is in these when a function ends is read: by the next call, by another function, by who called it. */
static double handed[LINE], asked[LINE], lent[LINE], for_some[LINE];

/* Along the rows. */
void kernel_rows(int n, int m, double *restrict a, const double *restrict b)
{
    if (m > LINE)
        return;
    for (int i = 0; i < n; i++) { // loop: parallel, private(line, other)
        for (int j = 0; j < m; j++) { // loop: parallel
            line[j] = b[i * m + j] * 2;
            other[j] = line[j] - 1;
        }
        for (int j = 1; j < m - 1; j++) // loop: parallel
            a[i * m + j] = line[j - 1] + other[j] + line[j + 1];
    }
}

/* And along the columns. */
void kernel_columns(int n, int m, double *restrict a, const double *restrict b)
{
    if (n > LINE)
        return;
    for (int j = 0; j < m; j++) { // loop: parallel, private(line)
        for (int i = 0; i < n; i++) // loop: parallel
            line[i] = b[i * m + j] - i;
        for (int i = 1; i < n; i++) // loop: parallel
            a[i * m + j] += line[i - 1] * 0.5 - line[i];
    }
}

/* One more function has the other array for a moment. */
double of_few(const double *b)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) // loop: parallel
        other[i] = b[i] * b[i];
    for (int i = 0; i < 4; i++) // loop: parallel, reduction(+:sum)
        sum += other[3 - i];
    return sum;
}

/* Structures are the same. */
void kernel_ends(int n, int m, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if, private(ends)
        ends.left = b[i * m];
        ends.right = b[i * m + m - 1];
        a[i * m] = ends.left + ends.right;
    }
}

double width(const double *b, int m)
{
    ends.left = b[0];
    ends.right = b[m - 1];
    return ends.right - ends.left;
}

/* The next call finds it. */
double kernel_hands(int n, int m, double *restrict a, const double *restrict b)
{
    double before = handed[0];
    for (int i = 0; i < n; i++) { // loop: parallel_if, lastprivate(handed)
        for (int j = 0; j < 8; j++) // loop: parallel
            handed[j] = b[i * m + j];
        a[i * m] += handed[3];
    }
    return before;
}

/* Another function does. */
void kernel_asks(int n, int m, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if, lastprivate(asked)
        for (int j = 0; j < 8; j++) // loop: parallel
            asked[j] = b[i * m + j] + 1;
        a[i * m + 1] += asked[5];
    }
}

double answer(void)
{
    return asked[2];
}

/* The one that calls it has begun by writing, and reads what it left. */
void kernel_lends(int n, int m, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if, lastprivate(lent)
        for (int j = 0; j < 8; j++) // loop: parallel
            lent[j] = b[i * m + j] - 1;
        a[i * m + 2] += lent[6];
    }
}

double borrower(int n, int m, double *restrict a, const double *restrict b)
{
    for (int j = 0; j < 8; j++) // loop: parallel
        lent[j] = j;
    kernel_lends(n, m, a, b);
    return lent[7];
}

/* Read where it may not have been written. */
double kernel_for_some(int n, int m, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if, lastprivate(for_some)
        for (int j = 0; j < 8; j++) // loop: parallel
            for_some[j] = b[i * m + j] * 3;
        a[i * m + 3] += for_some[1];
    }
    return a[0];
}

double of_some(int n, const double *b)
{
    for (int j = 0; j < n; j++) // loop: parallel
        for_some[j] = b[j];
    return for_some[4];
}

int main(void)
{
    static double a[N * N], b[N * N];
    for (int i = 0; i < N * N; i++) { // loop: parallel
        a[i] = i % 13;
        b[i] = (i * 7) % 29 - 11;
    }
    for (int t = 0; t < 3; t++) { // loop: sequential, pair(a[i * m], a[i * m]), because it prints
        kernel_rows(N, N, a, b);
        kernel_columns(N, N, a, b);
        kernel_ends(N, N, a, b);
        printf("%.3f %.3f\n", of_few(b + t), width(b, N));
        printf("%.3f\n", kernel_hands(N, N, a, b));
        kernel_asks(N, N, a, b);
        printf("%.3f\n", answer());
        printf("%.3f\n", borrower(N, N, a, b));
        printf("%.3f\n", kernel_for_some(N, N, a, b));
        printf("%.3f\n", of_some(t * 4, b));
        double sum = 0;
        for (int i = 0; i < N * N; i++) // loop: parallel, reduction(+:sum)
            sum += a[i] * (i % 5 + 1);
        printf("%.3f\n", sum);
    }
    return 0;
}
