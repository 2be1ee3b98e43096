// section_before_array: loops that do not run, with a first element that their array does not have: no text may name it.
#include <stdio.h>

static double h[300], g[12][12];

static void kernel_shifted(int n, int c)
{
    for (int i = 0; i < n; i++) // loop: parallel
        h[i - c] += 2.5;
}

static void kernel_rows(int n, int c)
{
    for (int i = c; i < n; i++) // loop: parallel
        for (int j = 0; j < 12; j++) // loop: parallel
            g[i][j] = i + 2 * j;
}

int main(void)
{
    kernel_shifted(0, 3);
    kernel_shifted(0, -400);
    kernel_shifted(250, -3);
    kernel_rows(-5, -1);
    kernel_rows(20, 40);
    kernel_rows(12, 3);
    double sum = 0;
    for (int i = 0; i < 300; i++) // loop: parallel, reduction(+:sum)
        sum += (2 * i + 1) * h[i];
    for (int i = 0; i < 12; i++) // loop: parallel, reduction(+:sum)
        for (int j = 0; j < 12; j++) // loop: parallel, reduction(+:sum)
            sum += (2 * i + 3 * j + 1) * g[i][j];
    printf("%g %g %g\n", sum, h[4], g[11][11]);
    return 0;
}
