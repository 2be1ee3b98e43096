// ends_of_sizes: sections whose text leaves its type where a size is at the end of it, and no loop runs: they are tested to be touched first.
#include <stdio.h>
#include <stdlib.h>

static void kernel_lines(int n, int m, int k, int ld, double *restrict c, const double *restrict b)
{
    for (int i = 1; i < n; i++) // loop: parallel_if
        for (int j = k; j < n; j++) // loop: parallel
            c[i * ld + j] = b[i] - b[i * m + j];
}

static double sum(int count, const double *a)
{
    double all = 0;
    for (int i = 0; i < count; i++) // loop: parallel, reduction(+:all)
        all += (2 * i + 1) * a[i];
    return all;
}

int main(void)
{
    const int count = 400;
    double *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b);
    if (!a || !b)
        return 1;
    for (int i = 0; i < count; i++) { // loop: parallel
        a[i] = i % 9;
        b[i] = i % 5;
    }
    kernel_lines(19, 17, 2, 21, a, b);
    printf("%g\n", sum(count, a));
    kernel_lines(-2147483647, 90, 90, 7, a, b);
    kernel_lines(5, -2147483647, 2147483647, 9, a, b);
    printf("%g\n", sum(count, a));
    kernel_lines(12, 20, 0, 5, a, b);
    printf("%g %g %g\n", sum(count, a), a[0], a[count - 1]);
    free(a);
    free(b);
    return 0;
}
