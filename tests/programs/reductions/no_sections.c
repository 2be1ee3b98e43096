// no_sections: iterations that update the same elements, and are no reductions over them: the order shows.
// sizes: -DN=101 -DM=7
// libraries: m
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 47
#endif
#ifndef M
#define M 11
#endif

union cell {
    int number;
    float single;
};

struct field {
    unsigned low : 12, high : 20;
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

void kernel_operand(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+2 y[j], +2 y[j]), because what is added is an element of the same array
        for (int j = 0; j + 1 < m; j++) // loop: sequential, pair(+1 y[j], +1 y[j + 1]), because the next element is read before it is updated
            y[j] += a[i] - y[j + 1];
}

void kernel_so_far(int n, int m, const double *restrict a, double *restrict y, double *restrict out)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 y[j], +2 y[j]), because the sums so far are kept
        for (int j = 0; j < m; j++) { // loop: parallel
            y[j] += a[i * m + j];
            out[i * m + j] = y[j];
        }
    }
}

void kernel_one_read(int n, int m, const double *restrict a, double *restrict y, double *restrict out)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 y[j], +2 y[j]), because the sum so far of one element is kept
        for (int j = 0; j < m; j++) // loop: parallel
            y[j] += a[i * m + j];
        out[i] = y[m / 2];
    }
}

void kernel_mixed(int n, int m, const int *restrict b, int *restrict y)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 y[j], +2 y[j]), because sums and products do not commute
        for (int j = 0; j < m; j++) // loop: parallel
            y[j] += b[i * m + j];
        for (int j = 0; j < m; j++) // loop: parallel
            y[j] *= b[i * m + j] < 0 ? -1 : 1;
    }
}

void kernel_set(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 y[j], +2 y[j]), because an element is set in the middle
        for (int j = 0; j < m; j++) // loop: parallel
            y[j] += a[i * m + j];
        if (i == n / 2)
            y[1] = 0;
    }
}

void kernel_scaled(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+2 y[j], +2 y[j]), because each sum is scaled by the next iteration
        for (int j = 0; j < m; j++) // loop: parallel
            y[j] = a[i * m + j] - y[j] / 2;
}

void kernel_limited(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+3 y[j], +2 y[j]), because whether an element is updated depends on the sum so far
        for (int j = 0; j < m; j++) // loop: parallel
            if (y[j] < 9)
                y[j] += a[i * m + j];
}

// The operand is the element itself by another name: it comes nearer to zero from iteration to iteration.
void kernel_itself(int n, int m, double *restrict y)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 y[j], +3 y[j]), because half of the element itself is one of the two
        for (int j = 0; j < m; j++) { // loop: parallel
            int k = j;
            y[j] = fmax(y[j], y[k] * 0.5);
        }
    }
}

double kernel_one_itself(int n, double *restrict y)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 y[1], +2 y[1]), because half of the element itself is one of the two
        int k = 1;
        y[1] = fmax(y[1], y[k] * 0.5);
    }
    return y[1];
}

// How far the section goes is found in the data.
void kernel_ends(int n, const int *restrict b, double *restrict y)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 y[j], +2 y[j]), because no section is known // stronger: parallel, with atomic updates
        for (int j = 0; b[j] >= 0; j++) // loop: unknown // stronger: parallel, once its length is counted
            y[j] += i;
    }
}

// Two types of numbers in one element.
void kernel_union(int n, int m, union cell *restrict y)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 y[j].single, +2 y[j].single), because one element is updated as two types
        for (int j = 0; j < m; j++) { // loop: parallel
            y[j].single += 1.0f;
            y[j].number += 1;
        }
    }
}

void kernel_fields(int n, int m, const int *restrict b, struct field *restrict y)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+2 y[j].low, +2 y[j].low), because the fields of an element share its bytes // stronger: parallel, with a reduction over copies
        for (int j = 0; j < m; j++) // loop: parallel
            y[j].low += (unsigned)(b[i * m + j] & 3);
}

void kernel_called(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(*to, *to), because every iteration adds to all of y // stronger: parallel, by a function that adds
        for (int j = 0; j < m; j++) // loop: parallel
            add(&y[j], a[i * m + j]);
}

// The second pointer is the first one.
void kernel_two_names(int n, int m, const int *restrict b, int *y)
{
    int *z = y;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 y[j], +2 y[j]), because sums and products do not commute
        for (int j = 0; j < m; j++) { // loop: parallel
            y[j] += b[i * m + j];
            z[j] *= b[i * m + j] < 0 ? -1 : 1;
        }
    }
}

void kernel_cleared(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+2 y[j], +2 y[j]), because a function clears what was added
        for (int j = 0; j < m; j++) // loop: parallel
            y[j] += a[i * m + j];
        if (i % 5 == 4)
            memset(y, 0, sizeof *y * 2);
    }
}

int main(void)
{
    double *a = malloc(N * M * sizeof *a), *y = calloc(M, sizeof *y), *out = calloc(N * M, sizeof *out);
    int *b = malloc(N * M * sizeof *b), *c = calloc(M, sizeof *c);
    union cell *cells = calloc(M, sizeof *cells);
    struct field *fields = calloc(M, sizeof *fields);
    if (!a || !y || !out || !b || !c || !cells || !fields)
        return 1;
    for (int i = 0; i < N * M; i++) { // loop: parallel
        a[i] = (i * 5 + i / 9) % 7 - 2;
        b[i] = (i * 3 + i / 7) % 5 - 1;
    }
    kernel_so_far(N, M, a, y, out);
    show("so far", out, N * M);
    kernel_one_read(N, M, a, y, out);
    show("one", out, N);
    kernel_set(N, M, a, y);
    kernel_limited(N, M, a, y);
    kernel_called(N, M, a, y);
    kernel_cleared(N, M, a, y);
    show("sums", y, M);
    // Few iterations, and numbers that are exact.
    kernel_operand(5, M, a, y);
    kernel_scaled(5, M, a, y);
    show("few", y, M);
    kernel_limited(N, M, a, y);
    show("limited", y, M);
    for (int j = 0; j < M; j++) // loop: parallel
        y[j] = -256 - 512 * (j % 2);
    kernel_itself(5, M, y);
    kernel_one_itself(2, y);
    show("itself", y, M);
    b[M / 2] = -1;
    kernel_ends(N, b + 1, y);
    kernel_mixed(N, M, b, c);
    kernel_two_names(N, M, b, c);
    kernel_union(9, M, cells);
    kernel_fields(N, M, b, fields);
    for (int j = 0; j < M; j++) // loop: parallel
        y[j] += c[j] + cells[j].number % 1024 + (double)fields[j].low + fields[j].high;
    show("rest", y, M);
    free(a);
    free(y);
    free(out);
    free(b);
    free(c);
    free(cells);
    free(fields);
    return 0;
}
