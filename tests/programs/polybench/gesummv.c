// GESUMMV: y = alpha A x + beta B x; arrays of main, handed to a kernel with restrict parameters.
// sizes: -DN=21
// variants: long split
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 31
#endif
#define DATA float

void kernel_gesummv(DATA alpha, DATA beta, DATA (*restrict A)[N], DATA (*restrict B)[N], DATA *restrict tmp, DATA *restrict x,
                    DATA *restrict y)
{
    for (int i = 0; i < N; i++) { // loop: parallel
        tmp[i] = 0;
        y[i] = 0;
        for (int j = 0; j < N; j++) { // loop: parallel, reduction(+:tmp[i]), reduction(+:y[i])
            tmp[i] = A[i][j] * x[j] + tmp[i];
            y[i] = B[i][j] * x[j] + y[i];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}

static void fill1(int n, DATA *a, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        a[i] = (DATA)((i * step + i / 8) % 7 - 3);
}

static void fill2(int n, int m, DATA a[n][m], int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        for (int j = 0; j < m; j++) // loop: parallel
            a[i][j] = (DATA)((i * step + j * 3 + i / 8) % 7 - 3);
}

static void show1(const char *name, int n, const DATA *a)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)(int64_t)(a[i] * 4096.0) * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0], a[n / 2], a[n - 1]);
}

int main(void)
{
    DATA A[N][N], B[N][N];
    DATA tmp[N], x[N], y[N];

    fill2(N, N, A, 2);
    fill2(N, N, B, 3);
    fill1(N, tmp, 4);
    fill1(N, x, 5);
    fill1(N, y, 6);
    kernel_gesummv(1.5f, 0.5f, A, B, tmp, x, y);
    show1("tmp", N, tmp);
    show1("y", N, y);
    return 0;
}
