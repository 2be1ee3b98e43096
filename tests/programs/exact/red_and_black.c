// red_and_black: relaxation in place, the points of one colour first: each reads points of the other colour alone. And colours that are not apart.
// sizes: -DN=12 -DM=31
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 17
#endif
#ifndef M
#define M 9
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

/* A colour is a condition on the sum of the subscripts. */
void kernel_by_condition(int n, int m, int a[n][m])
{
    for (int i = 1; i < n - 1; i++) // loop: parallel
        for (int j = 1; j < m - 1; j++) // loop: parallel
            if ((i + j) % 2 == 0)
                a[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) % 101;
}

/* The same in one dimension. */
void kernel_in_rows(int n, int m, int *a)
{
    for (int i = 1; i < n - 1; i++) // loop: parallel
        for (int j = 1; j < m - 1; j++) // loop: parallel
            if ((i + j) % 2 == 1)
                a[i * m + j] = (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]) % 103;
}

/* Both neighbours in a row have the other colour, and one above of them this one. */
void kernel_of_one_colour(int n, int m, int a[n][m])
{
    for (int i = 1; i < n - 1; i++) // loop: unknown, pair(+3 a[i][j], +3 a[i - 1][j - 1]) // stronger: sequential
        for (int j = 1; j < m - 1; j++) // loop: parallel
            if ((i + j) % 2 == 0)
                a[i][j] = (a[i - 1][j - 1] + a[i][j - 1] + a[i][j + 1]) % 101;
}

/* Every third point takes from the next two. */
void kernel_of_three(int n, int *a)
{
    for (int i = 0; i < n - 2; i++) // loop: parallel
        if (i % 3 == 1)
            a[i] = 2 * a[i + 1] - a[i + 2] % 7;
}

/* Every second one from the next one of its kind. */
void kernel_of_two(int n, int *a)
{
    for (int i = 0; i < n - 2; i++) // loop: unknown, pair(+2 a[i], +2 a[i + 2]) // stronger: sequential
        if (i % 2 == 1)
            a[i] = 2 * a[i + 1] - a[i + 2] % 7;
}

int main(void)
{
    int *a = malloc((size_t)(N * M) * sizeof(int));
    if (!a)
        return 1;
    fill(a, N * M, 5);
    kernel_by_condition(N, M, (int (*)[M])a);
    show("by condition", a, N * M);
    kernel_in_rows(N, M, a);
    show("in rows", a, N * M);
    kernel_of_one_colour(N, M, (int (*)[M])a);
    show("of one colour", a, N * M);
    kernel_of_three(N * M, a);
    show("of three", a, N * M);
    fill(a, N * M, 3);
    kernel_of_two(N * M, a);
    show("of two", a, N * M);
    free(a);
    return 0;
}
