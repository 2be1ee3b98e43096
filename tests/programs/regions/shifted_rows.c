// shifted_rows: linearised rows that are full and do not begin where the array does.
// sizes: -DN=13 -DM=21
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef M
#define M 29
#endif

// One element behind the beginning, up to one behind n rows.
void kernel_behind(int n, int m, int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            a[i * m + j + 1] = i - j;
}

// The place of the first row is a parameter, and the odd columns are left out.
void kernel_from(int n, int m, int from, const int *restrict b, int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j += 2) // loop: parallel
            a[from + i * m + j] = b[i * m + j] + 1;
}

// Rows are written, then read, by one column further to the left.
void kernel_twice(int n, int m, int *restrict scratch, int *restrict to)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 1; j <= m; j++) // loop: parallel
            scratch[i * m + j] = 2 * i + j;
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            to[i * m + j] = scratch[i * m + j + 1] - to[i * m + j];
}

static void show(const char *name, int size, const int *a)
{
    long sum = 0;
    for (int i = 0; i < size; i++) // loop: parallel, reduction(+:sum)
        sum += (long)a[i] * 4096 * (2 * i + 1);
    printf("%s: %ld %d %d\n", name, sum, a[0], a[size - 1]);
}

int main(void)
{
    int size = N * M + 5;
    int *a = malloc((size_t)size * sizeof *a);
    int *b = malloc((size_t)size * sizeof *b);
    for (int i = 0; i < size; i++) { // loop: parallel
        a[i] = i % 17;
        b[i] = i % 13;
    }
    kernel_behind(N, M, a);
    show("behind", size, a);
    kernel_from(N, M, 4, b, a);
    show("from", size, a);
    kernel_twice(N, M, b, a);
    show("twice", size, a);
    show("scratch", size, b);
    kernel_behind(0, M, a);
    kernel_from(1, 1, size - 1, b, a);
    show("ends", size, a);
    free(a);
    free(b);
    return 0;
}
