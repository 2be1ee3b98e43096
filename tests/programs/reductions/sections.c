// sections: reductions over sections: every iteration updates the same elements, by one operation.
// sizes: -DN=103 -DM=7
// libraries: m
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 61
#endif
#ifndef M
#define M 13
#endif

struct sums {
    int count;
    double of[M], squares[M];
};

struct pair {
    double up, down;
    int key;
};

static double total[M];
static double plane[M][M];

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_transposed(int n, int m, const double *restrict a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: parallel, section(+:y)
        for (int j = 0; j < m; j++) // loop: parallel
            y[j] += a[i * m + j] * x[i];
}

void kernel_few(int n, const double *restrict a, double *restrict mean)
{
    for (int i = 0; i < n; i++) // loop: parallel, section(+:mean)
        for (int c = 0; c < 3; c++) // loop: parallel
            mean[c] += a[3 * i + c];
}

void kernel_backwards(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = n - 1; i >= 0; i--) // loop: parallel, section(+:y)
        for (int j = m - 1; j >= 0; j--) // loop: parallel
            y[j] = y[j] - a[i * m + j];
}

void kernel_some(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: parallel, section(+:y)
        for (int j = 0; j < m; j++) // loop: parallel
            if (a[i * m + j] > 0)
                y[j] += a[i * m + j];
}

void kernel_two(int n, int m, const double *restrict a, double *restrict y, int *restrict sign)
{
    for (int i = 0; i < n; i++) { // loop: parallel, section(+:y), section(*:sign)
        for (int j = 0; j < m; j++) { // loop: parallel
            y[j] += a[i * m + j];
            sign[j] *= a[i * m + j] < 0 ? -1 : 1;
        }
    }
}

void kernel_greatest(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: parallel, section(max:y)
        for (int j = 0; j < m; j++) // loop: parallel
            if (a[i * m + j] > y[j])
                y[j] = a[i * m + j];
}

void kernel_least(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: parallel, section(min:y)
        for (int j = 0; j < m; j++) // loop: parallel
            y[j] = y[j] < a[i * m + j] ? y[j] : a[i * m + j];
}

void kernel_library(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: parallel, section(max:y)
        for (int j = 0; j < m; j++) // loop: parallel
            y[j] = fmax(y[j], a[i * m + j]);
}

void kernel_bits(int n, int m, const int *restrict b, unsigned *restrict all, unsigned *restrict any, unsigned *restrict odd)
{
    for (int i = 0; i < n; i++) { // loop: parallel, section(&:all), section(|:any), section(^:odd)
        for (int j = 0; j < m; j++) { // loop: parallel
            all[j] &= (unsigned)b[i * m + j];
            any[j] |= (unsigned)b[i * m + j];
            odd[j] ^= (unsigned)b[i * m + j];
        }
    }
}

void kernel_truth(int n, int m, const int *restrict b, _Bool *restrict every, int *restrict some)
{
    for (int i = 0; i < n; i++) { // loop: parallel, section(&&:every), section(||:some)
        for (int j = 0; j < m; j++) { // loop: parallel
            every[j] = every[j] && b[i * m + j] > 0;
            some[j] = some[j] || b[i * m + j] > 12;
        }
    }
}

void kernel_member(int n, const double *restrict a, struct sums *restrict s)
{
    for (int i = 0; i < n; i++) // loop: parallel, section(+:s->of)
        for (int j = 0; j < M; j++) // loop: parallel
            s->of[j] += a[i * M + j];
}

void kernel_members(int n, int m, const double *restrict a, struct pair *restrict p)
{
    for (int i = 0; i < n; i++) { // loop: parallel, section(+:p)
        for (int j = 0; j < m; j++) { // loop: parallel
            p[j].up += a[i * m + j];
            p[j].down -= a[i * m + j];
        }
    }
}

// Each row is its own, and each of its elements a sum over k.
void kernel_rows(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int k = 0; k < m; k++) // loop: parallel, section(+:y)
            for (int j = 0; j < m; j++) // loop: parallel
                y[i * m + j] += a[i * m + k] * a[k * m + j];
}

// The other parameters may lie among the sums.
void kernel_overlap(int n, int m, const double *a, double *y)
{
    for (int i = 0; i < n; i++) // loop: parallel_if, section(+:y)
        for (int j = 0; j < m; j++) // loop: parallel_if
            y[j] += a[i * m + j];
}

void kernel_triangle(int n, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: parallel, section(+:y)
        for (int j = 0; j <= i; j++) // loop: parallel
            y[j] += a[i - j];
}

void kernel_outer_product(int n, const double *restrict a)
{
    for (int k = 0; k < n; k++) // loop: parallel, section(+:plane)
        for (int i = 0; i < M; i++) // loop: parallel
            for (int j = 0; j < M; j++) // loop: parallel
                plane[i][j] += a[k * M + i] * a[k * M + j];
}

void kernel_apart(int n, int m, int first, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: parallel, section(+:y)
        for (int j = 0; j < m; j++) // loop: parallel
            y[first + 2 * j] += a[i * m + j];
}

// Two statements of which the sections overlap.
void kernel_statements(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) { // loop: parallel, section(+:y)
        for (int j = 0; j < m; j++) // loop: parallel
            y[j] += a[i * m + j];
        for (int j = 1; j < m; j++) // loop: parallel
            y[j - 1] -= 2 * a[i * m + j];
    }
}

double kernel_own(int n, const double *restrict a)
{
    double own[3] = {1, 2, 3};
    for (int i = 0; i < n; i++) // loop: parallel, section(+:own)
        for (int c = 0; c < 3; c++) // loop: parallel
            own[c] += a[3 * i + c];
    return own[0] + 2 * own[1] + 4 * own[2];
}

// A scalar, an element and a section.
double kernel_all(int n, const double *restrict a)
{
    double sum = 0;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:sum), section(+:total)
        for (int j = 0; j < M; j++) { // loop: parallel, reduction(+:sum)
            total[j] += a[i * M + j];
            sum += a[i * M + j];
        }
    }
    return sum;
}

int main(void)
{
    const int size = N * M + 4 * N;
    double *a = malloc(size * sizeof *a), *x = malloc(N * sizeof *x), *y = calloc(N + 4 * M, sizeof *y), *low = calloc(M, sizeof *low);
    int *b = malloc(N * M * sizeof *b), *sign = malloc(M * sizeof *sign), *some = calloc(M, sizeof *some);
    unsigned *all = malloc(M * sizeof *all), *any = calloc(M, sizeof *any), *odd = calloc(M, sizeof *odd);
    _Bool *every = malloc(M * sizeof *every);
    struct sums *s = calloc(1, sizeof *s);
    struct pair *p = calloc(M, sizeof *p);
    if (!a || !x || !y || !low || !b || !sign || !some || !all || !any || !odd || !every || !s || !p)
        return 1;
    for (int i = 0; i < size; i++) // loop: parallel
        a[i] = (i * 5 + i / 9) % 7 - 2;
    for (int i = 0; i < N * M; i++) // loop: parallel
        b[i] = (i * 3 + i / 7) % 15;
    for (int i = 0; i < N; i++) // loop: parallel
        x[i] = i % 4 - 1;
    for (int j = 0; j < M; j++) { // loop: parallel
        sign[j] = 1;
        all[j] = ~0u;
        every[j] = 1;
    }
    kernel_transposed(N, M, a, x, y);
    kernel_few(N, a, y);
    kernel_backwards(N, M, a, y);
    kernel_some(N, M, a, y);
    kernel_two(N, M, a, y, sign);
    kernel_triangle(N, a, y);
    kernel_apart(N, M, 3, a, y);
    kernel_statements(N, M, a, y);
    kernel_transposed(0, 1000000, NULL, NULL, NULL);
    kernel_backwards(-2, 1000000, NULL, NULL);
    show("sums", y, N + 4 * M);
    kernel_greatest(N, M, a, low);
    kernel_library(N / 2, M, a + 3, low);
    show("greatest", low, M);
    kernel_least(N, M, a, low);
    show("least", low, M);
    kernel_bits(N, M, b, all, any, odd);
    kernel_truth(N, M, b, every, some);
    for (int j = 0; j < M; j++) // loop: parallel
        y[j] = sign[j] + 2.0 * all[j] + 32.0 * any[j] + 512.0 * odd[j] + 8192.0 * every[j] + 16384.0 * some[j];
    show("bits", y, M);
    kernel_member(N, a, s);
    show("member", s->of, M);
    kernel_members(N, M, a, p);
    for (int j = 0; j < M; j++) // loop: parallel
        y[j] = p[j].up + 3 * p[j].down + p[j].key;
    kernel_overlap(N, M, a, y);
    show("members", y, M);
    kernel_rows(4, M, a, y);
    show("rows", y, 4 * M);
    kernel_outer_product(N, a);
    show("plane", plane[0], M * M);
    const double scalars[] = {kernel_own(N, a), kernel_all(N, a), s->count + s->squares[M - 1], total[0], total[M - 1]};
    show("scalars", scalars, 5);
    // What is only read may lie in what is only read.
    kernel_transposed(N, M, a, a + 1, y);
    show("within", y, M);
    // The sums lie among what is summed up.
    kernel_overlap(N, M, a, a + M);
    show("overlap", a, N * M);
    free(a);
    free(x);
    free(y);
    free(low);
    free(b);
    free(sign);
    free(some);
    free(all);
    free(any);
    free(odd);
    free(every);
    free(s);
    free(p);
    return 0;
}
