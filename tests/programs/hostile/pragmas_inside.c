// pragmas_inside: compilers' own pragmas before loops inside of one that needs a condition, which makes a second copy of its text.
// sizes: -DN=67
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 35
#endif

void kernel_window(int n, float *x, const float *y)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if
        float sum = 0;
#ifndef __clang__
        #pragma GCC unroll 4
#endif
        for (int j = 0; j < 4; j++) // loop: parallel, reduction(+:sum)
            sum += y[i + j];
        x[i] = sum;
    }
}

void kernel_rows(int n, int m, float *x, const float *y)
{
    for (int i = 0; i < n; i++) { // loop: parallel_if
#ifndef __clang__
        #  pragma GCC unroll 2
#endif
        for (int j = 0; j < m; j++) // loop: parallel_if
            x[i * m + j] = y[j] * 2 + i;
    }
}

int main(void)
{
    float *y = malloc(4 * N * sizeof *y);
    for (int i = 0; i < 4 * N; i++) // loop: parallel
        y[i] = i % 13;
    kernel_window(N, y + 3 * N, y);
    kernel_window(N - 4, y + 1, y);
    kernel_rows(N / 5, 5, y + N, y);
    kernel_rows(2, 5, y, y + 1);
    float sum = 0;
    for (int i = 0; i < 4 * N; i++) // loop: parallel, reduction(+:sum)
        sum += y[i] * (i % 3 + 1);
    printf("%g %g %g\n", sum, y[3], y[3 * N + 1]);
    free(y);
    return 0;
}
