// read_later: a matrix that a function fills and then reads by single elements, and by all of them in a row: nothing has to be copied in.
#include <stdio.h>
#include <stdlib.h>

/* The product of two negative sizes is positive, and no element is written. */
static double kernel_corner(int rows, int columns, double *restrict a, const double *restrict x)
{
    for (int i = 0; i < rows; i++) // loop: parallel
        for (int j = 0; j < columns; j++) // loop: parallel
            a[i * columns + j] = x[i] * (j + 1); // write a[0 .. rows * columns - 1]
    return a[0];
}

/* Every second row is left as it was. */
static double kernel_some_rows(int rows, int columns, double *restrict a, const double *restrict x)
{
    for (int i = 0; i < rows; i += 2) // loop: parallel
        for (int j = 0; j < columns; j++) // loop: parallel
            a[i * columns + j] = x[i] - j;
    return a[0];
}

/* A row is left out, where it is one. */
static double kernel_but_one(int rows, int columns, int out, double *restrict a, const double *restrict x)
{
    for (int i = 0; i < rows; i++) // loop: parallel
        for (int j = 0; j < columns; j++) // loop: parallel
            if (i != out)
                a[i * columns + j] = x[i] + 3 * j;
    return a[0];
}

/* Where there are no columns, only the second loop writes, and not all. */
static double kernel_and_some(int rows, int columns, double *restrict a, const double *restrict x)
{
    for (int i = 0; i < rows; i++) // loop: parallel
        for (int j = 0; j < columns; j++) // loop: parallel
            a[i * columns + j] = x[i] * (j + 2);
    for (int i = 0; i < rows; i++) // loop: parallel
        if (x[i] > 3)
            a[i] = -x[i];
    return a[0];
}

static void print(const char *name, double value, int count, const double *a)
{
    long sum = 0;
    for (int k = 0; k < count; k++) // loop: parallel, reduction(+:sum)
        sum += (2 * k + 1) * (long)(a[k] * 4096);
    printf("%s: %g, %ld, %g\n", name, value, sum, a[count - 1]);
}

int main(void)
{
    const int rows = 23, columns = 37, count = rows * columns;
    double *a = malloc(count * sizeof *a), *x = malloc(rows * sizeof *x);
    if (!a || !x)
        return 1;
    for (int k = 0; k < count; k++) // loop: parallel
        a[k] = -k;
    for (int i = 0; i < rows; i++) // loop: parallel
        x[i] = i % 5 + 1;
    print("nothing", kernel_corner(-3, -4, a, x), count, a);
    print("some rows", kernel_some_rows(rows, columns, a, x), count, a);
    print("but one", kernel_but_one(rows, columns, 7, a, x), count, a);
    print("a part", kernel_corner(5, 4, a, x), count, a);
    print("all", kernel_corner(rows, columns, a, x), count, a);
    print("some", kernel_and_some(rows, 0, a, x), count, a);
    print("all and some", kernel_and_some(rows, columns, a, x), count, a);
    print("all but none", kernel_but_one(rows, columns, -1, a, x), count, a);
    free(a);
    free(x);
    return 0;
}
