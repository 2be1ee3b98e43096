// tables_of_pointers: rows of one array that are found through a table of pointers which the function has filled itself.
// not: reversed
#include <stdint.h>
#include <stdio.h>

#ifndef ROWS
#define ROWS 11
#endif
#define WIDTH 5

static double a[ROWS * WIDTH], b[ROWS];

static void show(const char *name, const double *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(v[i] * 4096) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

double kernel_sum(int n)
{
    double *row[ROWS];
    for (int i = 0; i < ROWS; i++) // loop: parallel
        row[i] = a + i * WIDTH;
    double sum = 0;
    for (int i = 0; i < ROWS; i++) // loop: parallel, reduction(+:sum)
        for (int j = 0; j < n; j++) // loop: parallel, reduction(+:sum)
            sum += row[i][j];
    return sum;
}

void kernel_set(int n)
{
    double *row[ROWS];
    for (int i = 0; i < ROWS; i++) // loop: parallel
        row[i] = a + i * WIDTH;
    for (int i = 0; i < ROWS; i++) // loop: parallel
        for (int j = 0; j < WIDTH; j++) // loop: parallel
            row[i][j] = i * j + n;
}

/* Rows of five elements, of which the loop takes n. */
void kernel_rows_that_meet(int n)
{
    double *row[ROWS];
    for (int i = 0; i < ROWS; i++) // loop: parallel
        row[i] = a + i * 5;
    for (int i = 0; i < ROWS - 1; i++) // loop: parallel, atomic(+:a)
        for (int j = 0; j < n; j++) // loop: parallel
            row[i][j] += 1;
}

void kernel_column(int n)
{
    double *row[ROWS];
    for (int i = 0; i < ROWS; i++) // loop: parallel
        row[i] = a + i * WIDTH;
    for (int i = 0; i < ROWS; i++) // loop: parallel
        b[i] = row[i][n];
}

/* The loop names the array, too, by a pointer. */
double kernel_beside(int n, double *restrict v)
{
    double *row[ROWS];
    for (int i = 0; i < ROWS; i++) // loop: parallel
        row[i] = v + i * WIDTH;
    double sum = 0;
    for (int i = 0; i < ROWS; i++) // loop: parallel, reduction(+:sum)
        for (int j = 0; j < n; j++) // loop: parallel, reduction(+:sum)
            sum += row[i][j] + v[i];
    return sum;
}

/* And each row has a name in its iteration. */
double kernel_named(int n, double *restrict v)
{
    double *row[ROWS];
    for (int i = 0; i < ROWS; i++) // loop: parallel
        row[i] = v + i * WIDTH;
    double sum = 0;
    for (int i = 0; i < ROWS; i++) { // loop: parallel, reduction(+:sum)
        const double *own = row[i];
        for (int j = 0; j < n; j++) // loop: parallel, reduction(+:sum)
            sum += own[j] - v[i];
    }
    return sum;
}

int main(void)
{
    for (int i = 0; i < ROWS * WIDTH; i++) // loop: parallel
        a[i] = i % 7;
    printf("%g\n", kernel_sum(3));
    kernel_set(2);
    show("a", a, ROWS * WIDTH);
    kernel_rows_that_meet(WIDTH + 3);
    show("a", a, ROWS * WIDTH);
    kernel_column(4);
    show("b", b, ROWS);
    printf("%g %g\n", kernel_beside(4, a), kernel_named(3, a));
    return 0;
}
