// counters: loops with further counters, each of which an iteration can compute from its number.
// sizes: -DN=67 -DM=9
// not: reversed
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 101
#endif
#ifndef M
#define M 7
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

// Two counters, one of which runs backwards. Neither is used later.
void kernel_two(int n, double *restrict a, const double *restrict b)
{
    int k = 0, l = n - 1;
    for (int i = 0; i < n; i++) { // loop: parallel // induction: k is 2 * i, l is n - 1 - i
        a[k] = 3 * b[l];
        k += 2;
        a[k - 1] = b[i] - k;
        l--;
    }
}

// The value behind the loop is used, also where the loop does not run.
int kernel_by_three(int lo, int hi, int k, double *restrict a)
{
    for (int i = lo; i < hi; i += 3) // loop: parallel // induction: k is its first value + (i - lo) / 3
        a[k++] = i;
    return k;
}

int kernel_down(int n, int k, double *restrict a)
{
    for (int i = n; i > 0; i--) a[k--] = i; // loop: parallel // induction: k is its first value - (n - i)
    return k;
}

// Four places for two steps, and half a place for each.
int kernel_by_two(int n, double *restrict a, double *restrict b)
{
    int k = 1, l = 0, i;
    for (i = -4; i < n; i += 2) { // loop: parallel // induction: k is 1 + 2 * (i + 4), l is (i + 4) / 2
        a[k] = i;
        k += 4;
        b[l++] = k;
    }
    return 100 * k + 10 * l + i;
}

// The inner loop moves it, as often as it runs.
int kernel_nested(int n, int m, double *restrict a)
{
    int k = 0;
    for (int i = 0; i < n; i++) // loop: parallel // induction: k is i * max(m, 0)
        for (int j = 0; j < m; j++) // loop: parallel // induction: k is i * m + j
            a[k++] = i - 2 * j;
    return k;
}

// It ends an inner loop.
void kernel_shorter(int n, int k, double *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if // induction: k is its first value - i
        for (int j = 0; j < k; j++) // loop: parallel
            a[i * N + j] = j - i;
        k--;
    }
}

// Beside a sum, and with a step that is a parameter.
double kernel_sum(int n, int step, const double *restrict a)
{
    double sum = 1;
    int k = 3;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:sum) // induction: k is 3 + i * step
        sum += a[k] * (i + 1);
        k += step;
    }
    return sum + k;
}

// One loop goes on where the other one ended.
int kernel_on(int n, int m, double *restrict a, double *restrict b)
{
    int k = 2;
    for (int i = 0; i < n; i++) { // loop: parallel // induction: k is 2 + 3 * i
        a[i] = k;
        k += 3;
    }
    for (int i = 0; i < m; i++) { // loop: parallel // induction: k is its first value - 2 * i
        b[i] = a[i] + k;
        k -= 2;
    }
    return k;
}

// Each time around it goes on.
int kernel_rounds(int rounds, int n, double *restrict a)
{
    int k = 0;
    for (int t = 0; t < rounds; t++) // loop: sequential, pair(+2 a[i], +2 a[i]), because the elements are updated in each round
        for (int i = 0; i < n; i++) { // loop: parallel // induction: k is its first value + 3 * i
            a[i] = a[i] / 2 + k % 8;
            k += 3;
        }
    return k;
}

// Wider than the loop's own variable.
long kernel_long(int n, long k, double *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: parallel // induction: k is its first value + i * 700000000
        a[i] = (double)(k / 4);
        k += 700000000;
    }
    return k;
}

// From the end of its type on, backwards.
long kernel_far(int lo, int hi, long k, double *restrict a)
{
    for (int i = lo; i > hi; i--) { // loop: parallel // induction: k is its first value - 100000 * (lo - i)
        a[lo - i] = (double)(k % 8);
        k -= 100000;
    }
    return k;
}

// By a condition that each iteration finds the same.
int kernel_same(int n, int wide, double *restrict a)
{
    int k = 0;
    for (int i = 0; i < n; i++) { // loop: parallel // induction: k is 2 * i
        a[k] = i;
        if (wide > 0)
            k += 2;
        else
            k += 2;
    }
    return k;
}

int main(void)
{
    const int most = 4 * N + 8;
    double *a = malloc((size_t)most * sizeof *a), *b = malloc((size_t)most * sizeof *b);
    double *square = malloc((size_t)N * N * sizeof *square);
    if (!a || !b || !square)
        return 1;

    fill(a, most, 3);
    fill(b, most, 5);
    fill(square, N * N, 7);
    kernel_two(N, a, b);
    show("two", a, most);
    printf("by three %d", kernel_by_three(-5, N, 4, a));
    printf(" %d", kernel_by_three(N, N, 4, a));
    printf(" %d\n", kernel_by_three(N, -N, 4, a));
    show("by three", a, most);
    printf("down %d", kernel_down(N, 2 * N, a));
    printf(" %d\n", kernel_down(-3, 5, a));
    show("down", a, most);
    printf("by two %d", kernel_by_two(N, a, b));
    printf(" %d\n", kernel_by_two(-10, a, b));
    show("by two", a, most);
    show("by two", b, most);
    printf("nested %d", kernel_nested(N / M, M, a));
    printf(" %d", kernel_nested(N, -M, a));
    printf(" %d\n", kernel_nested(-N, -M, a));
    show("nested", a, most);
    kernel_shorter(N / 2, N / 3, square);
    kernel_shorter(2, N - 1, square);
    show("shorter", square, N * N);
    // Longer than a row.
    kernel_shorter(2, N + 2, square);
    show("shorter", square, N * N);
    printf("sum %g", kernel_sum(N, 4, a));
    printf(" %g", kernel_sum(4, -1, a));
    printf(" %g\n", kernel_sum(-4, 2, a));
    printf("on %d", kernel_on(N, N - 9, a, b));
    printf(" %d", kernel_on(0, 5, a, b));
    printf(" %d\n", kernel_on(4, -1, a, b));
    show("on", b, most);
    printf("rounds %d", kernel_rounds(3, N, a));
    printf(" %d\n", kernel_rounds(-1, N, a));
    show("rounds", a, most);
    printf("long %ld\n", kernel_long(N, -70000000000, a));
    show("long", a, most);
    printf("far %ld\n", kernel_far(2147483647, 2147483647 - N, 9223372036854775807, a));
    show("far", a, most);
    printf("same %d %d\n", kernel_same(N, 1, a), kernel_same(M, -1, a));
    show("same", a, most);
    free(a);
    free(b);
    free(square);
    return 0;
}
