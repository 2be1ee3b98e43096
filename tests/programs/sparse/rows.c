// rows: a sparse matrix by rows, of which a function knows only pointers: comments say how much storage they lead to.
// sizes: -DN=61 -DM=23
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef M
#define M 29
#endif

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %.1f last %.1f\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

// ferry: extent(column[0:stored], value[0:stored], x[0:m])
void kernel_product(int n, int m, int stored, const int *begin, const int *column, const double *value, const double *x, double *y)
{
    (void)m, (void)stored;
    for (int i = 0; i < n; i++) { // loop: parallel_if
        double sum = 0.0;
        for (int k = begin[i]; k < begin[i + 1]; k++) // loop: parallel, reduction(+:sum)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

/* Elements in which rows meet are updated by one operation. */
// ferry: assume(extent(column[0:stored], value[0:stored]) && extent(y[0:m]))
void kernel_transposed(int n, int m, int stored, const int *begin, const int *column, const double *value, const double *x, double *y)
{
    (void)m, (void)stored;
    for (int i = 0; i < n; i++) // loop: parallel_if, atomic(+:y)
        for (int k = begin[i]; k < begin[i + 1]; k++) // loop: parallel_if, atomic(+:y)
            y[column[k]] += value[k] * x[i];
}

/* The storage is known from the comment on. */
void kernel_gather(int n, const int *restrict where, double *restrict out)
{
    double *table = malloc(N * sizeof *table);
    const double *from = table + 2;
    for (int i = 0; i < N; i++) // loop: parallel
        table[i] = i % 7;
    // ferry: assume(extent(where[0:n]) && extent(from[0:n]))
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = out[i] + from[where[i]];
    free(table);
}

static int *place;
static double *held;
static int places;

/* Behind pointers that are variables of the file. */
// ferry: extent(held[0:places])
void kernel_held(int n, double *restrict out)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        out[i] = held[place[i]] + 1.0;
}

int main(void)
{
    int *begin = malloc((N + 1) * sizeof *begin);
    int stored = 0;
    for (int i = 0; i < N; i++) { // loop: sequential, pair(+2 stored += (i * 5) % 4, +1 stored), because stored goes on
        begin[i] = stored;
        stored += (i * 5) % 4;
    }
    begin[N] = stored;
    int *column = malloc(stored * sizeof *column);
    double *value = malloc(stored * sizeof *value);
    for (int k = 0; k < stored; k++) { // loop: parallel
        column[k] = (k * 11 + k / 3) % M;
        value[k] = k % 9 - 4;
    }
    double *x = malloc(M * sizeof *x);
    double *y = malloc(N * sizeof *y);
    for (int i = 0; i < M; i++) // loop: parallel
        x[i] = i % 6;
    kernel_product(N, M, stored, begin, column, value, x, y);
    show("product", y, N);
    for (int i = 0; i < M; i++) // loop: parallel
        x[i] = 100.0;
    kernel_transposed(N, M, stored, begin, column, value, y, x);
    show("transposed", x, M);
    kernel_product(M, M, stored, begin, column, value, x, x);
    show("product in place", x, M);
    kernel_transposed(M, M, stored, begin, column, value, x, x);
    show("transposed in place", x, M);
    int *where = malloc(M * sizeof *where);
    for (int i = 0; i < M; i++) // loop: parallel
        where[i] = (i * 4) % (M < N - 2 ? M : N - 2);
    kernel_gather(M, where, x);
    show("gathered", x, M);
    place = where;
    held = y;
    places = N;
    kernel_held(M, x);
    show("held", x, M);
    free(begin);
    return 0;
}
