// whole_objects: subscripts of which nothing is known stay inside their objects; sections are whole objects.
// sizes: -DN=41 -DM=17
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 53
#endif
#ifndef M
#define M 33
#endif

static int table[M];
static int which[N];

// A global array, read at subscripts from memory.
void kernel_gather(int *restrict result)
{
    for (int i = 0; i < N; i++) // loop: parallel
        result[i] = 2 * table[which[i] % M];
}

// Sparse matrix times vector; the vector has the size of its declaration.
int kernel_sparse(int n, const int *restrict column, const int *restrict value)
{
    int x[n];
    int total = 0;
    for (int i = 0; i < n; i++) // loop: parallel
        x[i] = 1 + 5 * i;
    for (int i = 0; i < n; i++) { // loop: parallel, reduction(+:total)
        for (int k = 0; k < 4; k++) // loop: parallel, reduction(+:total)
            total += value[4 * i + k] * x[column[4 * i + k]];
    }
    return total;
}

// Storage that was allocated: as much as was asked for.
int kernel_allocated(unsigned n, const int *restrict at)
{
    int *buffer = malloc(n * sizeof *buffer);
    int sum = 0;
    if (!buffer)
        return -1;
    for (unsigned i = 0; i < n; i++) // loop: parallel
        buffer[i] = 3 * (int)i;
    for (unsigned i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += buffer[at[i]];
    free(buffer);
    return sum;
}

static int show(const char *what, const int *v, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (long)v[i] * 4096 * (2 * i + 1);
    return printf("%s %ld %d %d\n", what, sum, v[0], v[n - 1]);
}

int main(void)
{
    int *result = malloc(N * sizeof *result);
    int *column = malloc(4 * N * sizeof *column);
    int *value = malloc(4 * N * sizeof *value);
    if (!result || !column || !value)
        return 1;
    for (int i = 0; i < M; i++) // loop: parallel
        table[i] = 3 * i - 7;
    for (int i = 0; i < N; i++) // loop: parallel
        which[i] = (7 * i) % N;
    for (int i = 0; i < 4 * N; i++) { // loop: parallel
        column[i] = (11 * i) % (N - 1);
        value[i] = i % 9 - 4;
    }
    kernel_gather(result);
    show("gather", result, N);
    printf("sparse %d\n", kernel_sparse(N, column, value));
    printf("sparse, overlapping %d\n", kernel_sparse(N - 1, column, column + 3));
    printf("allocated %d\n", kernel_allocated(N, which));
    free(result);
    free(column);
    free(value);
    return 0;
}
