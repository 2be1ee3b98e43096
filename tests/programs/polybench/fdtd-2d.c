// FDTD-2D: electric and magnetic fields on a staggered grid; arrays of main through pointers to rows.
// sizes: -DNX=15 -DNY=37 -DTMAX=2
// variants: long
#include <stdint.h>
#include <stdio.h>

#ifndef NX
#define NX 25
#endif
#ifndef NY
#define NY 21
#endif
#ifndef TMAX
#define TMAX 3
#endif
#define DATA double
#define LOOP_BOUND(size, parameter) parameter
#define BOUND_NX LOOP_BOUND(NX, nx)
#define BOUND_NY LOOP_BOUND(NY, ny)
#define BOUND_T LOOP_BOUND(TMAX, tmax)

static void kernel_fdtd_2d(int tmax, int nx, int ny, DATA (*ex)[NY], DATA (*ey)[NY], DATA (*hz)[NY], DATA *pulse)
{
    for (int t = 0; t < BOUND_T; t++) { // loop: sequential, pair(+2 ey[0][j], +2 ey[0][j]), because every step uses the fields of the step before
        for (int j = 0; j < BOUND_NY; j++) // loop: parallel
            ey[0][j] = pulse[t];
        for (int i = 1; i < BOUND_NX; i++) // loop: parallel
            for (int j = 0; j < BOUND_NY; j++) // loop: parallel
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < BOUND_NX; i++) // loop: parallel
            for (int j = 1; j < BOUND_NY; j++) // loop: parallel
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < BOUND_NX - 1; i++) // loop: parallel
            for (int j = 0; j < BOUND_NY - 1; j++) // loop: parallel
                hz[i][j] = hz[i][j] - 0.75 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
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

static void show2(const char *name, int n, int m, DATA a[n][m])
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        for (int j = 0; j < m; j++) // loop: parallel, reduction(+:sum)
            sum += (uint64_t)(int64_t)(a[i][j] * 4096.0) * (uint64_t)(2 * (i * m + j) + 1);
    printf("%s: %016llx first %g middle %g last %g\n", name, (unsigned long long)sum, a[0][0], a[n / 2][m / 3], a[n - 1][m - 1]);
}

int main(void)
{
    DATA ex[NX][NY], ey[NX][NY], hz[NX][NY];
    DATA pulse[TMAX];

    fill2(NX, NY, ex, 2);
    fill2(NX, NY, ey, 3);
    fill2(NX, NY, hz, 4);
    fill1(TMAX, pulse, 2);
    kernel_fdtd_2d(TMAX, NX, NY, ex, ey, hz, pulse);
    show2("ex", NX, NY, ex);
    show2("ey", NX, NY, ey);
    show2("hz", NX, NY, hz);
    return 0;
}
