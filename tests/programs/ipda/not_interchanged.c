// not_interchanged: an element is read one row on and one column back; each order of the loops carries it in the outer one (after section 7.2.1 of IPDA, which would exchange them).
// sizes: -DN=21 -DM=53
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 35
#endif
#ifndef M
#define M 37
#endif

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

void kernel_rows(int n, int m, int a[n + 1][m])
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+2 a[i + 1][j - 1], +2 a[i][j]), because row i + 1 is read by the next iteration
        for (int j = 1; j < m; j++) // loop: parallel
            a[i + 1][j - 1] = a[i][j] + 1;
}

void kernel_columns(int n, int m, int a[n + 1][m])
{
    for (int j = 1; j < m; j++) // loop: sequential, pair(+2 a[i + 1][j - 1], +2 a[i][j]), because column j is written by the next iteration
        for (int i = 0; i < n; i++) // loop: parallel
            a[i + 1][j - 1] = a[i][j] + 1;
}

int main(void)
{
    int *a = malloc((size_t)((N + 1) * M) * sizeof(int));
    if (!a)
        return 1;
    fill(a, (N + 1) * M, 5);
    kernel_rows(N, M, (int (*)[M])a);
    show("rows", a, (N + 1) * M);
    fill(a, (N + 1) * M, 5);
    kernel_columns(N, M, (int (*)[M])a);
    show("columns", a, (N + 1) * M);
    free(a);
    return 0;
}
