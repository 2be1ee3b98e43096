// storage: work arrays that are allocated and released in each iteration, in functions, and arrays that live on.
// sizes: -DN=41 -DM=17
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 53
#endif
#ifndef M
#define M 13
#endif

static double *kept;

// Each iteration has a work array of its own.
void kernel_work(int n, int m, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: sequential, because storage is allocated // stronger: parallel
        double *work = malloc(m * sizeof *work);
        if (!work)
            exit(1);
        memcpy(work, &a[i * m], m * sizeof *work);
        double sum = 0;
        for (int j = 0; j < m; j++) // loop: parallel, reduction(+:sum)
            sum += work[m - 1 - j] * (j % 3);
        b[i] = sum;
        free(work);
    }
}

// The work array is there only if the iteration needs it.
void kernel_sometimes(int n, int m, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: sequential, because storage is allocated // stronger: parallel
        double *work = i % 2 ? calloc(m, sizeof *work) : NULL;
        if (work)
            memcpy(work, &a[i * m], m * sizeof *work);
        b[i] = work ? work[m - 1] : 7;
        if (work)
            free(work);
    }
}

// What the last iteration with a large element leaves is used later.
void kernel_kept(int n, int m, const double *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+7 kept, +6 kept), because one iteration after the other replaces what is kept
        double *work = malloc(m * sizeof *work);
        if (!work)
            exit(1);
        memcpy(work, &a[i * m], m * sizeof *work);
        if (a[i * m] > 20) {
            free(kept);
            kept = work;
        } else {
            free(work);
        }
    }
}

// An array that grows keeps what it has.
double *kernel_grown(int n, int m, const double *restrict a)
{
    double *all = malloc(m * sizeof *all);
    if (!all)
        exit(1);
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+5 all = more, +1 all), because storage is allocated, and grows
        memcpy(&all[i * m], &a[i * m], m * sizeof *all);
        double *more = realloc(all, (i + 2) * m * sizeof *all);
        if (!more)
            exit(1);
        all = more;
    }
    return all;
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
    double *a = malloc(N * M * sizeof *a), b[N];
    if (!a)
        return 1;
    for (int i = 0; i < N * M; i++) // loop: parallel
        a[i] = (i * 7) % 31;
    kernel_work(N, M, a, b);
    printf("work %ld\n", (long)(4096 * checksum(N, b)));
    kernel_sometimes(N, M, a, b);
    printf("sometimes %ld\n", (long)(4096 * checksum(N, b)));
    kernel_kept(N, M, a);
    printf("kept %ld\n", (long)(4096 * (kept ? checksum(M, kept) : 0)));
    double *all = kernel_grown(N, M, a);
    printf("grown %ld\n", (long)(4096 * checksum(N * M, all)));
    free(all);
    free(kept);
    free(a);
    return 0;
}
