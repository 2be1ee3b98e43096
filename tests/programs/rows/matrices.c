// matrices: rows that are found through an array of pointers, apart and on purpose not.
// sizes: -DN=9 -DM=41
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 21
#endif
#ifndef M
#define M 35
#endif

struct matrix {
    int rows, columns;
    double **me;
};

static double **make(int n, int m, int step)
{
    double **w = malloc((size_t)n * sizeof *w);
    for (int i = 0; i < n; i++) { // loop: sequential, because memory is allocated
        w[i] = malloc((size_t)m * sizeof **w);
        for (int j = 0; j < m; j++) // loop: parallel
            w[i][j] = (double)((i * step + j) % 13 - 6);
    }
    return w;
}

static void drop(double **w, int n)
{
    for (int i = 0; i < n; i++) // loop: sequential, because memory is freed
        free(w[i]);
    free(w);
}

static void show(const char *name, double **w, int n, int m)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        for (int j = 0; j < m; j++) // loop: parallel, reduction(+:sum)
            sum += (uint64_t)(int64_t)(w[i][j] * 4096.0) * (uint64_t)(2 * (i * m + j) + 1);
    printf("%s: %016llx first %g last %g\n", name, (unsigned long long)sum, w[0][0], w[n - 1][m - 1]);
}

/* One matrix: its rows must be apart from each other, and from the pointers. */
void kernel_scale(double **w, int n, int m)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            w[i][j] = w[i][j] * 2.0 + i;
}

/* The loops the other way round: each iteration has a column. */
void kernel_columns(double **w, int n, int m)
{
    for (int j = 0; j < m; j++) // loop: parallel_if
        for (int i = 0; i < n; i++) // loop: parallel_if
            w[i][j] = w[i][j] * 0.5 + j;
}

/* Three matrices and a vector. */
void kernel_sum(double **a, double **b, double **c, const double *x, int n, int m)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            c[i][j] = a[i][j] + b[i][j] * x[j];
}

/* Rows by a variable of their own. */
void kernel_named(double **w, int n, int m)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if
        double *row = w[i];
        for (int j = 1; j < m; j++) // loop: sequential, pair(+1 row[j], +1 row[j - 1]), because row[j - 1] is written by the iteration before
            row[j] += row[j - 1];
    }
}

/* A row needs the one before. */
void kernel_down(double **w, int n, int m)
{
    for (int i = 1; i < n; i++) // loop: sequential, pair(+2 w[i][j], +2 w[i - 1][j]), because w[i - 1] is written by the iteration before
        for (int j = 0; j < m; j++) // loop: parallel_if
            w[i][j] += w[i - 1][j];
}

/* Two rows to each iteration, none shared. */
void kernel_pairs(double **w, int n, int m)
{
    for (int i = 0; i < n / 2; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            w[2 * i + 1][j] += w[2 * i][j];
}

/* Two rows to each iteration, one of them shared with the next one. */
void kernel_overlapping_pairs(double **w, int n, int m)
{
    for (int i = 0; i + 1 < n; i++) // loop: sequential, pair(+2 w[i][j], +2 w[i + 1][j]), because w[i + 1] is read by the next iteration
        for (int j = 0; j < m; j++) // loop: parallel_if
            w[i][j] += w[i + 1][j];
}

/* Below the diagonal. */
void kernel_triangle(double **w, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j <= i; j++) // loop: parallel_if
            w[i][j] += 2 * i + j;
}

/* Above the diagonal: the last row is not looked at, and its pointer need not be there. */
void kernel_above(double **w, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = i + 1; j < n; j++) // loop: parallel_if
            w[i][j] -= i + 2 * j;
}

/* Below the diagonal: it is the first one. */
void kernel_below(double **w, int n)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < i; j++) // loop: parallel_if
            w[i][j] += 3 * i - j;
}

/* Inner loops that run for some rows, nobody knows which. */
void kernel_sometimes(double **w, const int *restrict there, int n, int m)
{
    for (int i = 0; i < n; i++) { // loop: unknown
        const int end = there[i] ? m : 0;
        for (int j = 0; j < end; j++) // loop: parallel_if
            w[i][j] -= i;
    }
}

/* Elimination: the rows below the first ones, and one of those. */
void kernel_eliminate(double **w, int k, int n, int m)
{
    for (int i = k + 1; i < n; i++) // loop: parallel_if
        for (int j = 0; j < m; j++) // loop: parallel_if
            w[i][j] -= 0.25 * w[k][j];
}

/* The pointers are in a structure. */
void kernel_structure(struct matrix *a, double s)
{
    for (int i = 0; i < a->rows; i++) // loop: parallel_if
        for (int j = 0; j < a->columns; j++) // loop: parallel_if
            a->me[i][j] = a->me[i][j] * s + j;
}

/* Every iteration adds to the same row. */
void kernel_gather(double **w, double **v, int n, int m)
{
    for (int i = 1; i < n; i++) // loop: parallel_if, section(+:v[0])
        for (int j = 0; j < m; j++) // loop: parallel_if
            v[0][j] += w[i][j];
}

/* Other pointers are set between two uses of a row: they may be the same ones. */
void kernel_replaced(double **w, double **v, double *q, int n)
{
    for (int i = 0; i < n; i++) { // loop: unknown
        w[i][0] += 1;
        v[i] = q;
        w[i][0] += 2;
    }
}

/* Rows are swapped: the pointers change. */
void kernel_swap(double **w, int n, int m)
{
    for (int i = 1; i < n; i++) { // loop: sequential, pair(+2 w[i], +2 w[i - 1]), because w[i] is set by the iteration before
        double *kept = w[i];
        w[i] = w[i - 1];
        w[i - 1] = kept;
        for (int j = 0; j < m; j++) // loop: parallel
            kept[j] += i;
    }
}

/* Some rows need not be there. */
void kernel_some(double **w, const int *there, int n, int m)
{
    for (int i = 0; i < n; i++) // loop: unknown
        if (there[i])
            for (int j = 0; j < m; j++) // loop: parallel_if
                w[i][j] += there[i];
}

/* Rows by their numbers in a list: one may be there twice. */
void kernel_listed(double **w, const int *list, int n, int m)
{
    for (int i = 0; i < n; i++) // loop: unknown, pair(+2 w[list[i]][j], +2 w[list[i]][j])
        for (int j = 0; j < m; j++) // loop: parallel_if
            w[list[i]][j] += i;
}

/* Rows of which each has its own length. */
void kernel_ragged(double **w, const int *length, int n)
{
    for (int i = 0; i < n; i++) // loop: unknown
        for (int j = 0; j < length[i]; j++) // loop: parallel_if
            w[i][j] += length[i];
}

/* Characters may be the pointers themselves. */
void kernel_bytes(unsigned char **w, int n, int m)
{
    for (int i = 0; i < n; i++) // loop: unknown
        for (int j = 0; j < m; j++) // loop: unknown
            w[i][j] ^= 1;
}

int main(void)
{
    double **a = make(N, M, 3), **b = make(N, M, 5), **c = make(N, M, 7);
    double *x = malloc(M * sizeof *x);
    int list[N], there[N], length[N];

    for (int j = 0; j < M; j++) // loop: parallel
        x[j] = (double)(j % 5 - 2);
    for (int i = 0; i < N; i++) { // loop: parallel
        list[i] = (i * 2) % N;
        there[i] = i % 3;
        length[i] = (i * 7) % M;
    }
    kernel_scale(a, N, M);
    kernel_columns(b, N, M);
    kernel_sum(a, b, c, x, N, M);
    show("c", c, N, M);
    kernel_named(c, N, M);
    kernel_down(c, N, M);
    kernel_pairs(c, N, M);
    kernel_overlapping_pairs(c, N, M);
    show("c", c, N, M);
    kernel_triangle(b, N < M ? N : M);
    double **most = malloc((size_t)(N - 1) * sizeof *most);
    for (int i = 0; i < N - 1; i++) // loop: parallel_if
        most[i] = b[i];
    kernel_above(most, N < M ? N : M);
    kernel_below(b, N < M ? N : M);
    most[1] = most[3];
    kernel_above(most, N < M ? N : M);
    int all_but_one[N];
    for (int i = 0; i < N; i++) // loop: parallel
        all_but_one[i] = i < N - 1;
    most[1] = b[1];
    kernel_sometimes(most, all_but_one, N, M);
    free(most);
    kernel_eliminate(b, 1, N, M);
    kernel_gather(b, a, N, M);
    show("b", b, N, M);
    struct matrix s = {N, M, a};
    kernel_structure(&s, 0.5);
    kernel_some(a, there, N, M);
    kernel_listed(a, list, N, M);
    list[N - 1] = list[0];
    kernel_listed(a, list, N, M);
    kernel_ragged(a, length, N);
    show("a", a, N, M);
    unsigned char *bytes[2] = {(unsigned char *)list, (unsigned char *)length};
    kernel_bytes(bytes, 2, 3);
    printf("bytes %d %d\n", list[0] & 255, length[0] & 255);

    /* Two pointers to one row, rows that overlap, and rows that are another matrix's. */
    double *kept = b[2], *other = b[3];
    b[2] = b[1];
    kernel_scale(b, N, M);
    kernel_columns(b, N, M);
    kernel_below(b, N < M ? N : M);
    kernel_named(b, N, M);
    kernel_pairs(b, N, M);
    b[2] = kept;
    show("b", b, N, M);
    b[3] = b[4] + 1;
    kernel_scale(b, N, M - 1);
    kernel_triangle(b, N < M ? N - 1 : M - 1);
    b[3] = other;
    show("b", b, N, M);
    double *mine = c[N - 1];
    c[N - 1] = a[1];
    kernel_sum(a, b, c, x, N, M);
    kernel_sum(b, a, c, c[4], N, M);
    c[N - 1] = mine;
    kernel_eliminate(c, 0, N, M);
    kernel_sum(a, b, a + 1, x, N - 1, M);
    kernel_sum(a, a + 1, b, x, N - 1, M);
    double *held[N];
    for (int i = 0; i < N; i++) // loop: parallel_if
        held[i] = a[i];
    kernel_replaced(held, held, x, N);
    double *first = b[0];
    b[0] = b[3];
    kernel_pairs(b, N, M);
    b[0] = first;
    double *replaced = c[1];
    c[1] = c[2];
    kernel_eliminate(c, 1, N, M);
    c[1] = kept;
    b[2] = malloc(M * sizeof **b);
    for (int j = 0; j < M; j++) // loop: parallel_if
        b[2][j] = j;
    kernel_swap(c, N, M);
    s.me = c;
    kernel_structure(&s, 2.0);
    show("a", a, N, M);
    show("b", b, N, M);
    show("c", c, N, M);
    drop(a, N);
    drop(b, N);
    drop(c, N);
    free(replaced);
    free(x);
    return 0;
}
