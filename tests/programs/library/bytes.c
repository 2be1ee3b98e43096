// bytes: functions of the library that touch so many bytes, in loops: rows that are copied, filled, shifted and sorted.
// sizes: -DN=41 -DM=17
// libraries: m
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 53
#endif
#ifndef M
#define M 13
#endif

struct pair {
    int first;
    int second;
};

static double buffer[M];
static struct pair pairs[N];

// Each iteration copies a row of its own.
void kernel_rows(int n, int m, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        memcpy(&b[i * m], &a[i * m], m * sizeof *b);
}

// The same where the two may be one array.
void kernel_may_overlap(int n, int m, const double *a, double *b)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        memcpy(b + i * m, a + i * m, m * sizeof *b);
}

// The row that an iteration reads is the one before its own.
void kernel_handed_on(int n, int m, double *b)
{
    for (int i = 1; i < n; i++) // loop: unknown, pair(+1 memcpy(&b[i * m], &b[(i - 1) * m], m * sizeof *b), +1 memcpy(&b[i * m], &b[(i - 1) * m], m * sizeof *b)) // stronger: sequential where a row has elements
        memcpy(&b[i * m], &b[(i - 1) * m], m * sizeof *b);
}

// One element more than a row.
void kernel_one_too_many(int n, int m, double *b)
{
    for (int i = 0; i < n; i++) // loop: unknown, pair(+1 memset(&b[i * m], 0, (m + 1) * sizeof *b), +1 memset(&b[i * m], 0, (m + 1) * sizeof *b)) // stronger: sequential
        memset(&b[i * m], 0, (m + 1) * sizeof *b);
}

// Rows of an array with two dimensions, the second half of each.
void kernel_half_rows(int n, double (*restrict b)[M], double (*restrict a)[M])
{
    for (int i = 0; i < n; i++) // loop: parallel
        memmove(&b[i][M / 2], &a[i][M / 2], (M - M / 2) * sizeof b[i][0]);
}

// A row is moved by one element in its place.
void kernel_shift(int n, int m, double *b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        memmove(&b[i * m], &b[i * m + 1], (m - 1) * sizeof *b);
}

// What is set to zero needs nothing from before.
void kernel_scratch(int n, int m, const double *restrict a, double *restrict b)
{
    double sums[4];
    for (int i = 0; i < n; i++) { // loop: parallel, private(sums)
        memset(sums, 0, sizeof sums);
        for (int j = 0; j < m; j++) // loop: parallel, atomic(+:sums)
            sums[j % 4] += a[i * m + j];
        b[i] = sums[0] + 2 * sums[1] + 4 * sums[2] + 8 * sums[3];
    }
}

// Only a part is set to zero: the rest comes from the iteration before.
void kernel_partly_scratch(int n, int m, const double *restrict a, double *restrict b)
{
    double sums[4] = {1, 2, 3, 4};
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 memset(sums, 0, 3 * sizeof *sums), +1 memset(sums, 0, 3 * sizeof *sums)), because the last element of sums is handed on
        memset(sums, 0, 3 * sizeof *sums);
        for (int j = 0; j < m; j++) // loop: parallel, atomic(+:sums)
            sums[j % 4] += a[i * m + j];
        b[i] = sums[0] + 2 * sums[1] + 4 * sums[2] + 8 * sums[3];
    }
}

// A row is copied to a buffer of the file and back, turned around.
void kernel_buffered(int n, double *b)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if, lastprivate(buffer) // stronger: parallel, private(buffer)
        memcpy(buffer, &b[i * M], sizeof buffer);
        for (int j = 0; j < M; j++) // loop: parallel_if
            b[i * M + j] = buffer[M - 1 - j];
    }
}

// Structures by bytes.
void kernel_structures(int n, const int *restrict from)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        struct pair one = {from[i], 3 * from[i]};
        memcpy(&pairs[i], &one, sizeof one);
    }
}

// A length in memory that a copy changes.
void kernel_length(int *length, const int *other, double *restrict b)
{
    *length = 3;
    memcpy(length, other, sizeof *length);
    for (int i = 0; i < *length; i++) // loop: parallel
        b[i] = i + 1;
}

// Two results of one call, each in an element of its own.
void kernel_parts(int n, const double *restrict a, double *restrict b, int *restrict e)
{
    for (int i = 0; i < n; i++) // loop: parallel
        b[i] = frexp(a[i], &e[i]);
}

// All iterations store into one array, and use it.
void kernel_one_part(int n, const double *restrict a, double *restrict b)
{
    double parts[2];
    for (int i = 0; i < n; i++) { // loop: parallel, private(parts)
        parts[1] = 0;
        parts[0] = modf(a[i] / 4, &parts[1]);
        b[i] = 2 * parts[0] + parts[1];
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Each iteration sorts a row of its own.
void kernel_sorted(int n, int m, double *b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        qsort(&b[i * m], m, sizeof *b, by_value);
}

// It looks at the element before the first one, which belongs to another row.
static int by_neighbour(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (x[0] + x[-1] > y[0] + y[-1]) - (x[0] + x[-1] < y[0] + y[-1]);
}

void kernel_sorted_by_neighbours(int n, int m, double *b)
{
    for (int i = 0; i < n; i++) // loop: unknown
        qsort(&b[i * m + 1], 1, sizeof *b, by_neighbour);
    b[0] += m;
}

static int calls;

static int counted(const void *a, const void *b)
{
    calls++;
    return by_value(a, b);
}

void kernel_counted(int n, int m, double *b)
{
    for (int i = 0; i < n; i++) // loop: unknown // stronger: sequential, because the calls are counted
        qsort(&b[i * m], m, sizeof *b, counted);
}

// A length that wraps around to nothing: the number of elements is negative all the same.
void kernel_wrapped(long m, int n, double *restrict b)
{
    memset(b, 0, m * sizeof *b);
    for (int i = 0; i < n; i++) // loop: parallel
        b[i] += m < 0 ? 1 : 2;
}

// Texts of different lengths in rows of eight: what lies behind their ends is set, not read.
void kernel_texts(int n, const char *restrict from, char *restrict to)
{
    for (int i = 0; i < n; i++) // loop: parallel
        strncpy(&to[8 * i], &from[8 * i], 8);
}

// The numbers in texts, and where each of them ends.
void kernel_numbers(int n, const char *restrict texts, long *restrict values)
{
    for (int i = 0; i < n; i++) { // loop: unknown // stronger: parallel
        char *end;
        values[i] = strtol(&texts[8 * i], &end, 10);
        values[i] += *end;
    }
}

// The host sets one element between two loops that could run elsewhere.
void kernel_between(int n, double *restrict b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        b[i] += i;
    memset(&b[3], 0, sizeof *b);
    for (int i = 0; i < n; i++) // loop: parallel
        b[i] = 2 * b[i] + 1;
}

static double *fresh(int n)
{
    double *p = malloc(n * sizeof *p);
    if (!p)
        exit(1);
    return p;
}

static void fill(int n, double *p)
{
    for (int i = 0; i < n; i++) // loop: parallel
        p[i] = (i * 7) % 31;
}

static double checksum(int n, const double *p)
{
    double sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (2 * i + 1) * p[i];
    return sum;
}

int main(void)
{
    double *a = fresh(N * M + 1), *b = fresh(N * M + 1);
    int e[N], from[N], length = 5, other = N / 2;
    fill(N * M + 1, a);
    fill(N * M + 1, b);
    b[0] = 9;
    kernel_rows(N, M, a, b);
    printf("rows %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    b[1] = 11;
    kernel_may_overlap(N, M, a, b);
    kernel_may_overlap(N / 2, M, b, b + N / 2 * M);
    printf("overlap %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    kernel_may_overlap(3, M, b, b + M);
    printf("overlap %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    kernel_handed_on(4, M, b);
    printf("handed on %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    kernel_one_too_many(3, M, b);
    printf("one too many %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    kernel_half_rows(N, (double (*)[M])b, (double (*)[M])a);
    printf("half rows %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    kernel_shift(N, M, b);
    printf("shift %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    kernel_scratch(N, M, a, b);
    printf("scratch %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    kernel_partly_scratch(N, M, a, b);
    printf("partly %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    kernel_buffered(N, b);
    printf("buffered %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    for (int i = 0; i < N; i++) // loop: parallel
        from[i] = i % 17;
    kernel_structures(N, from);
    long sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (2 * i + 1) * (pairs[i].first + 5 * pairs[i].second);
    printf("structures %ld\n", sum);
    kernel_length(&length, &other, b);
    printf("length %d %ld\n", length, (long)(4096 * checksum(N * M + 1, b)));
    kernel_parts(N, a, b, e);
    sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (2 * i + 1) * e[i];
    printf("parts %ld %ld\n", sum, (long)(4096 * checksum(N * M + 1, b)));
    kernel_one_part(N, a, b);
    printf("one part %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    kernel_sorted(N, M, b);
    printf("sorted %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    kernel_sorted_by_neighbours(N, M, b);
    kernel_counted(N, M, b);
    printf("counted %d %ld\n", calls > 0, (long)(4096 * checksum(N * M + 1, b)));
    kernel_wrapped(-(1L << 61), N, b);
    printf("wrapped %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    kernel_between(N, b);
    printf("between %ld\n", (long)(4096 * checksum(N * M + 1, b)));
    char texts[8 * N], copies[8 * N];
    long values[N];
    memset(texts, 'x', sizeof texts);
    memset(copies, 'y', sizeof copies);
    for (int i = 0; i < N; i++) { // loop: parallel
        int end = 8 * i + i % 5 + 1;
        for (int j = 8 * i; j < end; j++) // loop: parallel
            texts[j] = '1' + j % 7;
        texts[end] = i % 2 ? ',' : 0;
        texts[8 * i + 7] = 0;
    }
    kernel_texts(N, texts, copies);
    kernel_numbers(N, texts, values);
    sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (2 * i + 1) * values[i];
    for (int j = 0; j < 8 * N; j++) // loop: parallel, reduction(+:sum)
        sum += (2 * j + 1) * copies[j];
    printf("texts %ld\n", sum);
    free(a);
    free(b);
    return 0;
}
