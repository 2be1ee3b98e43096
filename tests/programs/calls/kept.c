// kept: helper functions that are given structures, addresses of variables, or keep an address.
// sizes: -DN=101
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
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

struct point {
    int x, y;
    int *where;
};

static void move(struct point *p, int dx)
{
    p->x += dx;
    p->y -= dx / 2;
}

static int length(struct point p)
{
    return p.x * p.x + p.y * p.y;
}

static void keep(int **slot, int *p)
{
    *slot = p;
}

static void both(int value, int *twice, int *thrice)
{
    *twice = 2 * value;
    *thrice = 3 * value;
}

static void add_to(int *sum, int value)
{
    *sum += value;
}

static int is_same(const int *p, const int *q)
{
    return p == q;
}

static void sum_columns(int m, int (*a)[m], int i, int *out)
{
    int sum = 0;
    for (int j = 0; j < m; j++) // loop: parallel, reduction(+:sum)
        sum += a[i][j];
    out[i] = sum;
}

void kernel_move(int n, struct point *p)
{
    for (int i = 0; i < n; i++) // loop: parallel
        move(&p[i], i % 5);
}

void kernel_move_first(int n, struct point *p)
{
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:p->x), reduction(+:p->y)
        move(&p[0], i % 5);
}

void kernel_length(int n, const struct point *restrict p, int *restrict out)
{
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = length(p[i]);
}

void kernel_keep(int n, int **slots, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel
        keep(&slots[i], &a[n - 1 - i]);
}

void kernel_both(int n, int *restrict out, const int *restrict a)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        int twice, thrice;
        both(a[i], &twice, &thrice);
        out[i] = thrice - twice;
    }
}

int kernel_sum(int n, const int *a)
{
    int sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        add_to(&sum, a[i]);
    return sum;
}

void kernel_same(int n, int *restrict out, const int *a, const int *b)
{
    for (int i = 0; i < n; i++) // loop: parallel
        out[i] = is_same(a + i, b + i);
}

void kernel_columns(int n, int m, int (*restrict a)[m], int *restrict out)
{
    for (int i = 0; i < n; i++) // loop: parallel
        sum_columns(m, a, i, out);
}

int main(void)
{
    static int a[N], out[N], grid[N][7];
    static int *slots[N];
    static struct point p[N];

    fill(a, N, 5);
    for (int i = 0; i < N; i++) { // loop: parallel
        p[i].x = i % 7;
        p[i].y = i % 3;
        p[i].where = &a[i];
    }
    kernel_move(N, p);
    kernel_move_first(N, p);
    kernel_length(N, p, out);
    show("length", out, N);
    kernel_keep(N, slots, a);
    int sum = 0;
    for (int i = 0; i < N; i++) // loop: parallel, reduction(+:sum)
        sum += (i + 1) * (*slots[i] + *p[i].where);
    printf("kept: %d\n", sum);
    kernel_both(N, out, a);
    show("both", out, N);
    printf("sum: %d\n", kernel_sum(N, a));
    kernel_same(N, out, a, a);
    show("same", out, N);
    for (int i = 0; i < N; i++) // loop: parallel
        for (int j = 0; j < 7; j++) // loop: parallel
            grid[i][j] = i * j % 11;
    kernel_columns(N, 7, grid, out);
    show("columns", out, N);
    return 0;
}
