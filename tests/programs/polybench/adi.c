// ADI: a heat equation by alternating directions, a tridiagonal system along every column and then every row.
// sizes: -DN=21 -DTSTEPS=1
// variants: long split
#include <stdint.h>
#include <stdio.h>

/* The coefficients are those of a plain second difference, and the boundary starts the elimination with 1: every pivot is 1,
   and all values are integers. */
#ifndef N
#define N 17
#endif
#ifndef TSTEPS
#define TSTEPS 2
#endif
#define DATA double
#define P0 1

static DATA u[N][N];
static DATA v[N][N];
static DATA p[N][N];
static DATA q[N][N];

void kernel_adi(DATA a, DATA b, DATA c, DATA d, DATA e, DATA f)
{
    for (int t = 1; t <= TSTEPS; t++) { // loop: sequential, pair(+26 u[i][j], +26 u[i][j]), because every step uses the values of the step before
        for (int i = 1; i < N - 1; i++) { // loop: parallel
            v[0][i] = 1;
            p[i][0] = P0;
            q[i][0] = v[0][i];
            for (int j = 1; j < N - 1; j++) { // loop: sequential, pair(+1 p[i][j], +1 p[i][j - 1]), because p and q use their last values
                p[i][j] = -c / (a * p[i][j - 1] + b);
                q[i][j] = (-d * u[j][i - 1] + (1 + 2 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1])
                    / (a * p[i][j - 1] + b);
            }
            v[N - 1][i] = 1;
            for (int j = N - 2; j >= 1; j--) // loop: sequential, pair(+1 v[j][i], +1 v[j + 1][i]), because v[j][i] uses v[j + 1][i]
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }

        for (int i = 1; i < N - 1; i++) { // loop: parallel
            u[i][0] = 1;
            p[i][0] = P0;
            q[i][0] = u[i][0];
            for (int j = 1; j < N - 1; j++) { // loop: sequential, pair(+1 p[i][j], +1 p[i][j - 1]), because p and q use their last values
                p[i][j] = -f / (d * p[i][j - 1] + e);
                q[i][j] = (-a * v[i - 1][j] + (1 + 2 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1])
                    / (d * p[i][j - 1] + e);
            }
            u[i][N - 1] = 1;
            for (int j = N - 2; j >= 1; j--) // loop: sequential, pair(+1 u[i][j], +1 u[i][j + 1]), because u[i][j] uses u[i][j + 1]
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
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
    fill2(N, N, u, 2);
    fill2(N, N, v, 3);
    fill2(N, N, p, 4);
    fill2(N, N, q, 5);
    kernel_adi(-1, 2, -1, -1, 2, -1);
    show2("u", N, N, u);
    show2("v", N, N, v);
    show2("p", N, N, p);
    show2("q", N, N, q);
    return 0;
}
