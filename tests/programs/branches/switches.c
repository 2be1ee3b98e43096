// switches: loops with a switch in their bodies: all cases write, some do, they fall through, continue with the next iteration, sum, and use what an earlier iteration left.
// sizes: -DN=101
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 47
#endif

enum kind { INNER, EDGE, CORNER, OUTSIDE };

void kernel_all(int n, double *restrict d, const double *restrict x)
{
    for (int i = 0; i < n; i++) // loop: parallel
        switch (i % 3) {
        case 0:
            d[i] = x[i];
            break;
        case 1:
            d[i] = 2;
            break;
        default:
            d[i] = x[i] + 3;
        }
}

/* What no case writes keeps its value. */
void kernel_some(int n, double *restrict d, const enum kind *restrict k)
{
    for (int i = 0; i < n; i++) { // loop: parallel
        switch (k[i]) {
        case EDGE:
            d[i] *= 2;
            /* fall through */
        case CORNER:
            d[i] += 1;
            break;
        case OUTSIDE:
            continue;
        case INNER:
            break;
        }
        d[n + i] = d[i] - k[i];
    }
}

/* Written only, and not everywhere: the other elements have to come along. */
void kernel_partial(int n, double *restrict d, const enum kind *restrict k)
{
    for (int i = 0; i < n; i++) // loop: parallel
        switch (k[i]) {
        case INNER:
            d[i] = 1;
            break;
        case CORNER:
            d[i] = 2;
        default:
            break;
        }
}

int kernel_sum(int n, const enum kind *restrict k)
{
    int sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        switch (k[i]) {
        case INNER:
            sum += 1;
            break;
        case OUTSIDE:
        case CORNER:
            sum += 10 * i;
        default:;
        }
    return sum;
}

/* Rows, with a switch on the row and one in the loop inside. */
void kernel_rows(int n, double *restrict d)
{
    for (int i = 0; i < n / 8; i++) { // loop: parallel
        double scale;
        switch (i & 1) {
        case 0:
            scale = 0.5;
            break;
        default:
            scale = 4;
            break;
        }
        for (int j = 0; j < 8; j++) // loop: parallel
            switch (j) {
            case 0:
            case 7:
                d[i * 8 + j] = scale;
                break;
            default:
                d[i * 8 + j] = d[i * 8 + j] + scale;
            }
    }
}

int kernel_left(int n, double *restrict d, const enum kind *restrict k)
{
    int last = 7;
    for (int i = 0; i < n; i++) { // loop: sequential, pair(+3 last = i, +6 last), because last may be that of an iteration before
        switch (k[i]) {
        case EDGE:
            last = i;
            break;
        default:
            d[i] += last;
        }
    }
    return last;
}

/* Several kernels of one environment, with a switch of the host between two others. */
void kernel_between(int n, int how, double *restrict d)
{
    for (int i = 0; i < n; i++) // loop: parallel
        switch (i & 3) {
        case 2:
            d[i] += 8;
            break;
        case 3:
            d[i] -= 8;
        }
    switch (how) {
    case 1:
        d[0] = 5;
        break;
    case 2:
        d[1] = 6;
    }
    for (int i = 0; i < n; i++) // loop: parallel
        d[i] += 1;
}

int main(void)
{
    double *x = malloc(N * sizeof *x), *d = calloc(2 * N, sizeof *d);
    enum kind *k = malloc(N * sizeof *k);
    for (int i = 0; i < N; i++) { // loop: parallel
        x[i] = i % 7;
        k[i] = (enum kind)(i * 5 % 4);
    }
    kernel_all(N, d, x);
    kernel_some(N, d, k);
    kernel_partial(N, d + N, k);
    int sum = kernel_sum(N, k);
    kernel_rows(N, d);
    sum += kernel_left(N, d, k);
    kernel_between(N, 1, d);
    kernel_between(N, 2, d);
    double all = 0;
    for (int i = 0; i < 2 * N; i++) // loop: parallel, reduction(+:all)
        all += d[i] * (2 * i + 1);
    printf("%d %g %g %g %g\n", sum, all, d[0], d[8], d[N - 1]);
    free(x);
    free(d);
    free(k);
    return 0;
}
