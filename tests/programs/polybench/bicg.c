// BICG: s = A^T r and q = A p in one nest; restrict parameters.
// sizes: -DM=15 -DN=37
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef M
#define M 31
#endif
#ifndef N
#define N 21
#endif
#define DATA float

void kernel_bicg(DATA (*restrict A)[M], DATA *restrict s, DATA *restrict q, DATA *restrict p, DATA *restrict r)
{
    for (int i = 0; i < M; i++) // loop: parallel
        s[i] = 0;

    for (int i = 0; i < N; i++) { // loop: parallel, section(+:s)
        q[i] = 0;
        for (int j = 0; j < M; j++) { // loop: parallel, reduction(+:q[i])
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
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
    DATA(*A)[M] = malloc(N * sizeof(DATA[M]));
    DATA *s = malloc(M * sizeof(DATA));
    DATA *q = malloc(N * sizeof(DATA));
    DATA *p = malloc(M * sizeof(DATA));
    DATA *r = malloc(N * sizeof(DATA));
    if (!A || !s || !q || !p || !r)
        return 1;

    fill2(N, M, A, 2);
    fill1(M, s, 3);
    fill1(N, q, 5);
    fill1(M, p, 4);
    fill1(N, r, 1);
    kernel_bicg(A, s, q, p, r);
    show1("s", M, s);
    show1("q", N, q);

    free(A);
    free(s);
    free(q);
    free(p);
    free(r);
    return 0;
}
