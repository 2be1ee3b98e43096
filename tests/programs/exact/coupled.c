// coupled: subscripts that belong together: diagonals, triangles, blocks, and two loops of known lengths.
// sizes: -DN=22
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 21
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

/* Along diagonals; the neighbours are on diagonals that no iteration is on. */
void kernel_diagonals(int n, int m, int a[m][m])
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < n; j++) // loop: parallel
            a[i + j][n + i - j - 1] = 3 * a[i + j][n + i - j - 1] + a[i + j][n + i - j] % 5;
}

/* Below the diagonal from above of it. */
void kernel_triangle(int n, int m, int a[m][m])
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < n; j++) // loop: parallel
            if (i > j)
                a[i][j] = a[j][i] - 2 * a[i][j];
}

/* In blocks, the last of which is shorter. */
void kernel_blocks(int n, int *a)
{
    for (int from = 0; from < n; from += 8) // loop: parallel
        for (int i = from; i < (from + 8 < n ? from + 8 : n); i++) // loop: parallel
            a[i] = 2 * a[i] + from;
}

/* 2 * 3 + 3 * 0 is 2 * 0 + 3 * 2. */
void kernel_meets(int *a)
{
    for (int i = 0; i < 4; i++) // loop: sequential, pair(+2 a[2 * i + 3 * j], +2 a[2 * i + 3 * j]), because two pairs of numbers lead to one element
        for (int j = 0; j < 3; j++) // loop: parallel
            a[2 * i + 3 * j] = 5 * i + j;
}

/* With one iteration less they do not. */
void kernel_does_not_meet(int *a)
{
    for (int i = 0; i < 3; i++) // loop: parallel
        for (int j = 0; j < 3; j++) // loop: parallel
            a[2 * i + 3 * j] = 5 * i - j;
}

/* Nor do these, but squares are not affine. */
void kernel_squares(int *a)
{
    for (int i = 0; i < 4; i++) // loop: unknown // stronger: parallel
        for (int j = 0; j < 3; j++) // loop: parallel
            a[3 * (i * i % 7) + j] = 3 * i + j;
}

int main(void)
{
    int size = 4 * N * N;
    int *a = malloc((size_t)size * sizeof(int));
    if (!a)
        return 1;
    fill(a, size, 5);
    kernel_diagonals(N, 2 * N, (int (*)[2 * N])a);
    show("diagonals", a, size);
    kernel_triangle(N, 2 * N, (int (*)[2 * N])a);
    show("triangle", a, size);
    kernel_blocks(size, a);
    show("blocks", a, size);
    kernel_meets(a);
    show("meets", a, size);
    kernel_does_not_meet(a);
    show("does not meet", a, size);
    kernel_squares(a);
    show("squares", a, size);
    free(a);
    return 0;
}
