// thinned_warps: conditions that let some threads of a warp pass: by remainders, by places in a row, by ends.
// sizes: -DN=203 -DM=35
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 301
#endif
#ifndef M
#define M 47
#endif

static int a[3 * N], b[3 * N], c[3 * N];
static int rows[9][M], sums[9][M];

void kernel_remainders(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        if (i % 2)
            a[i] = 3 * i;
        if (i % 3 == 1)
            b[2 * i] = i - 4;
        if (i % 32 < 5)
            c[3 * i] = 7;
        if (i % 40 == 39)
            c[3 * i + 1] = i;
    }
}

// How many iterations there are is not known.
void kernel_any_length(int n, int *restrict x, int *restrict y)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        if ((i & 3) == 2)
            x[i] = i;
        if (i % 24 >= 20)
            y[i] += 5;
        if ((3 * i + 1) % 5 == 0)
            x[n + i] = 2 * i;
    }
}

void kernel_ends(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        if (i < 5)
            a[i] += 100;
        if (i >= 40)
            b[i] -= 3;
        if (i > 10 && i < 21)
            c[2 * i] = 9;
        if (i == 17 || i == 90)
            b[N + i] -= 1;
    }
}

// A stride that is no number.
void kernel_columns(int n, int stride, int *restrict x)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if
        if (i % 4 == 0)
            x[i * stride] = i; // x[0], x[4 * stride], ...
    }
}

// Threads of a row, and every other row.
void kernel_rows(void)
{
    for (int i = 0; i < 9; i++) // loop: parallel
        for (int j = 0; j < M; j++) { // loop: parallel
            if (j < 5)
                rows[i][j] += i;
            if (i % 2)
                sums[i][j] = rows[i][j] - j;
            if (j % 4 == 1)
                sums[i][j] += 10;
        }
}

// Two pointers by the thread.
void kernel_pointers(void)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        int *p = i % 4 < 2 ? a : b;
        p[i] += 6;
        int *q = i < 24 ? b : c;
        q[N + i] = i;
    }
}

static void show(const char *what, const int *v, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (long)v[i] * 4096 * (2 * i + 1);
    printf("%s %ld %d %d %d\n", what, sum, v[0], v[n / 2], v[n - 1]);
}

int main(void)
{
    int *x = malloc(4 * N * sizeof *x), *y = malloc(N * sizeof *y);
    if (!x || !y)
        return 1;
    for (int i = 0; i < N; i++) // loop: parallel
        y[i] = 1 - i;
    for (int i = 0; i < 4 * N; i++) // loop: parallel
        x[i] = i % 7;
    for (int i = 0; i < 9; i++) // loop: parallel
        for (int j = 0; j < M; j++) // loop: parallel
            rows[i][j] = 2 * i - j;
    kernel_remainders();
    kernel_any_length(N, x, y);
    kernel_ends();
    kernel_columns(M, 4, x);
    kernel_columns(M, 3, x);
    kernel_columns(M, 0, x);
    kernel_rows();
    kernel_pointers();
    show("a", a, 3 * N);
    show("b", b, 3 * N);
    show("c", c, 3 * N);
    show("x", x, 4 * N);
    show("y", y, N);
    show("rows", &rows[0][0], M);
    show("sums", &sums[3][0], M);
    free(x);
    free(y);
    return 0;
}
