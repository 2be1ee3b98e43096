// triangles: counters that move by more in each iteration: packed triangles, by rows and by columns, and sums of the numbers of iterations.
// sizes: -DN=39 -DM=9
// not: reversed
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 57
#endif
#ifndef M
#define M 13
#endif

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

static void fill(double *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

// The lower triangle, row by row.
int kernel_lower(int n, double *restrict ap, const double *restrict a)
{
    int k = 0;
    for (int i = 0; i < n; i++) // loop: parallel // induction: k is i * (i + 1) / 2
        for (int j = 0; j <= i; j++) // loop: parallel // induction: k is i * (i + 1) / 2 + j
            ap[k++] = a[i * n + j];
    return k;
}

// Without its diagonal, behind something else.
void kernel_strict(int n, int k, double *restrict ap, const double *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel // induction: k is its first value + i * (i - 1) / 2
        for (int j = 0; j < i; j++) // loop: parallel // induction: k is its first value + i * (i - 1) / 2 + j
            ap[k++] = 2 * a[i * n + j];
}

// The upper triangle: rows become shorter.
int kernel_upper(int n, double *restrict ap, const double *restrict a)
{
    int k = 0;
    for (int i = 0; i < n; i++) // loop: parallel // induction: k is i * n - i * (i - 1) / 2
        for (int j = i; j < n; j++) // loop: parallel // induction: k is i * n - i * (i - 1) / 2 + j - i
            ap[k++] = a[i * n + j] - 1;
    return k;
}

// And back, by a pointer that walks.
void kernel_unpack(int n, double *restrict a, const double *restrict ap)
{
    for (int i = 0; i < n; i++) // loop: parallel // induction: ap is its first value + i * (i + 1) / 2
        for (int j = 0; j <= i; j++) // loop: parallel // induction: ap is its first value + i * (i + 1) / 2 + j
            a[i * n + j] = 3 * *ap++;
}

// With no second counter: that rows lie apart follows from their lengths.
void kernel_explicit(int n, double *restrict ap, const double *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j <= i; j++) // loop: parallel
            ap[i * (i + 1) / 2 + j] += a[i * n + j];
}

// The beginning of each row, by adding up.
int kernel_begins(int n, int *restrict begin, double *restrict ap)
{
    int at = 0;
    for (int i = 0; i < n; i++) { // loop: parallel // induction: at is i * (i + 1) / 2
        begin[i] = at;
        for (int j = 0; j <= i; j++) // loop: parallel
            ap[at + j] = i - 2 * j;
        at += i + 1;
    }
    return at;
}

// By steps of three, of which each is two longer than the one before, and backwards.
int kernel_squares(int lo, int hi, int k, double *restrict a)
{
    for (int i = lo; i < hi; i += 3) { // loop: parallel // induction: k is its first value - t * t, with t = (i - lo) / 3
        a[k] = i;
        k -= 2 * ((i - lo) / 3) + 1;
    }
    return k;
}

// By odd steps: to squares.
int kernel_odd(int n, int k, double *restrict a)
{
    for (int i = 1; i <= n; i++) { // loop: parallel // induction: k is its first value + (i - 1) * (i - 1)
        a[k] = i;
        k += 2 * i - 1;
    }
    return k;
}

// The step begins with a parameter.
long kernel_from(int n, int step, long k, double *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: parallel // induction: k is its first value + i * step + i * (i - 1) / 2
        a[i] = (double)(k % 8);
        k += step + i;
    }
    return k;
}

// What a row is longer than the one before is a parameter: with 0, all elements are one.
void kernel_by(int n, int more, double *restrict a)
{
    int k = 0;
    for (int i = 0; i < n; i++) { // loop: unknown, pair(+1 a[k], +1 a[k]), because more may be 0
        a[k] = a[k] / 2 + i;
        k += more * i;
    }
}

// Nothing uses the sum so far.
int kernel_summed(int n, int first)
{
    int k = first;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:k)
        k += 3 * i;
    return k;
}

// Where rows end before the diagonal, their lengths are no straight line.
int kernel_cut(int n, int m, double *restrict ap)
{
    int k = 0;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+2 ap[k++] = i - j, +2 k), because k has no closed form
        for (int j = 0; j < i && j < m; j++) // loop: parallel // induction: k is its first value + j
            ap[k++] = i - j;
    return k;
}

// Only some iterations move it.
int kernel_some(int n, double *restrict ap, const double *restrict a)
{
    int k = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 k += i + 1, +1 k), because k moves in some iterations only
        ap[i] = k;
        if (a[i] > 0) k += i + 1;
    }
    return k;
}

// It goes back as far as it came: all rows meet.
void kernel_back(int n, double *restrict ap)
{
    int k = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 ap[k], +2 ap[k]), because each row updates the beginning of the array
        for (int j = 0; j <= i; j++) { // loop: parallel // induction: k is j
            ap[k] = ap[k] / 2 + i;
            k++;
        }
        k -= i + 1;
    }
}

// One less than a row: the last element of each is the first one of the next.
void kernel_shared(int n, double *restrict ap)
{
    int k = 0;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 ap[k + j], +2 ap[k + j]), because the last element of a row is the first of the next one
        for (int j = 0; j <= i; j++) // loop: parallel
            ap[k + j] = ap[k + j] / 2 + i;
        k += i;
    }
}

int main(void)
{
    int whole = N * (N + 1) / 2;
    double *a = malloc(sizeof(double) * N * N), *ap = malloc(sizeof(double) * (size_t)whole);
    int *begin = malloc(sizeof(int) * N);
    if (!a || !ap || !begin) return 1;

    fill(a, N * N, 3);
    fill(ap, whole, 5);
    printf("%d\n", kernel_lower(N, ap, a));
    show("lower", ap, whole);
    kernel_unpack(N, a, ap);
    show("unpack", a, N * N);
    kernel_strict(N, 2, ap, a);
    show("strict", ap, whole);
    printf("%d\n", kernel_upper(N, ap, a));
    show("upper", ap, whole);
    kernel_explicit(N, ap, a);
    show("explicit", ap, whole);
    printf("%d\n", kernel_begins(N, begin, ap));
    show("begins", ap, whole);
    printf("%d %d\n", begin[N / 2], begin[N - 1]);
    printf("%d\n", kernel_squares(-4, 3 * M - 5, M * M, ap));
    show("squares", ap, whole);
    printf("%d\n", kernel_odd(M, 1, ap));
    show("odd", ap, whole);
    printf("%ld\n", kernel_from(N, 3, 7, a));
    printf("%ld\n", kernel_from(N, -30, 7000, a + N));
    show("from", a, N * N);
    printf("%d\n", kernel_summed(N, 5) + kernel_summed(0, 7));
    kernel_by(M, 0, ap);
    kernel_by(M, 1, ap);
    show("by", ap, whole);
    printf("%d\n", kernel_cut(N, M, ap));
    show("cut", ap, whole);
    printf("%d\n", kernel_some(N, ap, a));
    show("some", ap, whole);
    kernel_back(M, ap);
    show("back", ap, whole);
    kernel_shared(M, ap);
    show("shared", ap, whole);

    // Nothing runs.
    printf("%d %d\n", kernel_lower(0, ap, a), kernel_lower(-3, ap, a));
    printf("%d %d\n", kernel_upper(0, ap, a), kernel_upper(-3, ap, a));
    printf("%d %ld\n", kernel_squares(5, 5, 3, ap), kernel_from(-1, 3, 7, a));
    show("nothing", ap, whole);
    free(a);
    free(ap);
    free(begin);
    return 0;
}
