// written_first: arrays that kernels write before they read them, though no single write covers them.
// sizes: -DN=23 -DM=31
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#ifndef M
#define M 29
#endif

// Two branches write one array together: nothing moves in.
void kernel_branches(int n, const int *restrict from, int *restrict to)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        if (i < n / 2)
            to[i] = from[i] + 1;
        else
            to[i] = from[i] - 1;
    }
}

// One branch only: the rest has to come back as it was.
void kernel_half(int n, const int *restrict from, int *restrict to)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        if (i < n / 2)
            to[i] = from[i] + 7;
    }
}

// The border by one test, the inner part by the other.
void kernel_border(int n, int m, int image[n][m])
{
    for (int i = 0; i < n; i++) { // loop: parallel
        for (int j = 0; j < m; j++) { // loop: parallel
            if (i == 0 || j == 0 || i == n - 1 || j == m - 1)
                image[i][j] = -1;
            else
                image[i][j] = i * m + j;
        }
    }
}

// Even and odd elements in two kernels.
void kernel_stripes(int n, int *restrict a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[2 * i] = i;
    for (int i = 0; i < n; i++) // loop: parallel
        a[2 * i + 1] = -i;
}

// The triangles of a matrix, the diagonal in the second.
void kernel_triangles(int n, int a[n][n])
{
    for (int i = 0; i < n; i++) { // loop: parallel
        for (int j = 0; j < i; j++) // loop: parallel
            a[i][j] = i - j;
        for (int j = i; j < n; j++) // loop: parallel
            a[i][j] = 2 * j;
    }
}

// The same without the diagonal: it has to come back as it was.
void kernel_no_diagonal(int n, int a[n][n])
{
    for (int i = 0; i < n; i++) { // loop: parallel
        for (int j = 0; j < i; j++) // loop: parallel
            a[i][j] = 3 * (i - j);
        for (int j = i + 1; j < n; j++) // loop: parallel
            a[i][j] = 5 * j;
    }
}

// A buffer of the function's own, written in two parts and read: it moves neither in nor out.
int kernel_buffer(int n, const int *restrict from)
{
    int buffer[2 * n];
    int sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel
        buffer[i] = from[i] * 2;
    for (int i = n; i < 2 * n; i++) // loop: parallel
        buffer[i] = from[i - n] * 3;
    for (int i = 0; i < 2 * n; i++) // loop: parallel, reduction(+:sum)
        sum += buffer[i];
    return sum;
}

// The last element is read though nobody wrote it there.
void kernel_one_more(int n, int *restrict a, int *restrict b)
{
    for (int i = 0; i < n - 1; i++) // loop: parallel
        a[i] = i;
    for (int i = 0; i < n; i++) // loop: parallel
        b[i] = a[i] + 1;
}

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step) % 101 - 50;
}

static void show(const char *what, const int *v, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (long)v[i] * 4096 * (2 * i + 1);
    printf("%s %ld %d %d\n", what, sum, v[0], v[n - 1]);
}

int main(void)
{
    int *from = malloc(N * sizeof *from);
    int *to = malloc(N * sizeof *to);
    int *image = malloc(sizeof(int[N][M]));
    int *stripes = malloc(2 * N * sizeof *stripes);
    int *square = malloc(sizeof(int[N][N]));
    if (!from || !to || !image || !stripes || !square)
        return 1;
    fill(from, N, 7);
    fill(to, N, 11);
    kernel_branches(N, from, to);
    show("branches", to, N);
    kernel_half(N, from, to);
    show("half", to, N);
    fill(image, N * M, 13);
    kernel_border(N, M, (int(*)[M])image);
    show("border", image, N * M);
    fill(stripes, 2 * N, 3);
    kernel_stripes(N, stripes);
    show("stripes", stripes, 2 * N);
    fill(square, N * N, 5);
    kernel_triangles(N, (int(*)[N])square);
    show("triangles", square, N * N);
    kernel_no_diagonal(N, (int(*)[N])square);
    show("no diagonal", square, N * N);
    printf("buffer %d\n", kernel_buffer(N, from));
    kernel_one_more(N, from, to);
    show("one more", from, N);
    show("one more", to, N);
    free(from);
    free(to);
    free(image);
    free(stripes);
    free(square);
    return 0;
}
