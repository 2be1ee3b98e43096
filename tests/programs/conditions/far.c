// far: what is read lies a number of elements away from what is written: apart if there are so few iterations, where that is worth a condition.
// sizes: -DN=33
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif
#define ROW 7

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 23 - 9;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d last %d\n", name, (unsigned long long)sum, v[0], v[n - 1]);
}

void kernel_moved(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        a[i + 40] = a[i] + 1; // read a[0 .. n-1], write a[40 .. n+39]
}

void kernel_back(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        a[i] = 2 * a[i + 48] + a[i]; // read a[0 .. n-1], read a[48 .. n+47], write a[0 .. n-1]
}

void kernel_strided(int n, int *a)
{
    for (int i = 3; i < 2 * n; i += 2) // loop: parallel_if
        a[i + 90] = a[i] - i;
}

void kernel_down(int n, int *a)
{
    for (int i = n - 1; i >= 0; i--) // loop: parallel_if
        a[i + 44] += a[i];
}

void kernel_some(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        if (a[i] > 0)
            a[i + 50] = a[i];
}

void kernel_rows(int n, int a[][ROW])
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        for (int j = 0; j < ROW; j++) // loop: parallel
            a[i + 40][j] = a[i][ROW - 1 - j];
}

// One output dependence, at a fixed distance.
void kernel_written_twice(int n, int *a, const int *restrict b)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if
        a[i] = b[i];
        a[i + 64] = 3 * b[i];
    }
}

// No condition: the number of iterations is known, or known to be greater.
void kernel_known(int *a)
{
    for (int i = 0; i < 100; i++) // loop: sequential, pair(+1 a[i + 40], +1 a[i]), because a[i] is written 40 iterations before
        a[i + 40] = a[i] + 1;
}

void kernel_many(int n, int *a)
{
    if (n <= 50)
        return;
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 a[i + 40], +1 a[i]), because a[i] is written 40 iterations before
        a[i + 40] = a[i] + 1;
}

// No condition that anybody wants: with so few iterations nothing is gained.
void kernel_near(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 a[i + 3], +1 a[i]), because a[i] is written 3 iterations before // stronger: parallel_if, of 3 iterations
        a[i + 3] = a[i] + 1;
}

// The nearest that is worth a condition, and one that is an iteration nearer.
void kernel_a_warp(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: parallel_if
        a[i + 32] = a[i] + 1;
}

void kernel_less_than_a_warp(int n, int *a)
{
    for (int i = 0; i < n; i++) // loop: sequential, pair(+1 a[i + 31], +1 a[i]), because a[i] is written 31 iterations before // stronger: parallel_if, of 31 iterations
        a[i + 31] = a[i] + 1;
}

// Beside something that no number of iterations takes away.
int kernel_beside(int n, int *a)
{
    int s = 1;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+1 a[i + 40], +1 a[i]), because s is computed from its old value
        a[i + 40] = a[i] + s;
        s = 3 * s % 7;
    }
    return s;
}

int main(void)
{
    int *a = malloc((8 * N + 200) * sizeof *a);
    int *b = malloc(4 * N * sizeof *b);
    int(*rows)[ROW] = malloc((2 * N + 40) * sizeof *rows);
    const int sizes[] = {N, 0, 1, 40, 41, 2 * N};
    fill(b, 4 * N, 5);
    for (int k = 0; k < 6; k++) { // loop: sequential, pair(v[i], v[i]), because of what is printed
        const int n = sizes[k];
        printf("%d\n", n);
        fill(a, 8 * N + 200, 3 + k);
        kernel_moved(n, a);
        show("moved", a, 8 * N + 200);
        kernel_back(n, a);
        show("back", a, 8 * N + 200);
        kernel_strided(n, a);
        show("strided", a, 8 * N + 200);
        kernel_down(n, a);
        kernel_some(n, a);
        show("down and some", a, 8 * N + 200);
        fill(rows[0], ROW * (2 * N + 40), 2);
        kernel_rows(n, rows);
        show("rows", rows[0], ROW * (2 * N + 40));
        kernel_written_twice(n, a, b);
        show("twice", a, 8 * N + 200);
        kernel_many(n, a);
        kernel_near(n, a);
        kernel_a_warp(n, a);
        kernel_less_than_a_warp(n, a);
        printf("beside %d\n", kernel_beside(n, a));
        show("others", a, 8 * N + 200);
    }
    kernel_known(a);
    show("known", a, 8 * N + 200);
    free(rows);
    free(b);
    free(a);
    return 0;
}
