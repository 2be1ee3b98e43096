// matmul_walk: a matrix product, walking pointers.
// sizes: -DN=21 -DM=53 -DL=33
// variants: long split
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 35
#endif
#ifndef M
#define M 37
#endif
#ifndef L
#define L 31
#endif

void kernel_matmul(int n, int m, int l, int *a, int *b, int *c)
{
    int *row = a;
    int *out = c;
    for (int i = 0; i < n; i++) { // loop: parallel_if // induction: row is a + i * l, out is c + i * m
        for (int j = 0; j < m; j++) { // loop: parallel_if // induction: out is c + i * m + j
            int *p = row;
            int *q = b + j;
            int sum = 0;
            for (int k = 0; k < l; k++) { // loop: parallel, reduction(+:sum) // induction: p is row + k, q is b + j + k * m
                sum += *p++ * *q;
                q += m;
            }
            *out++ = sum;
        }
        row += l;
    }
}

static void fill(int *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

static void show(const char *name, const int *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, v[0], v[n / 2], v[n - 1]);
}

int main(void)
{
    int *a = malloc(N * L * sizeof(int));
    int *b = malloc(L * M * sizeof(int));
    int *c = malloc(N * M * sizeof(int));
    int *block = malloc((N + L - 1) * M * sizeof(int));
    if (!a || !b || !c || !block)
        return 1;

    fill(a, N * L, 5);
    fill(b, L * M, 3);
    fill(c, N * M, 2);
    kernel_matmul(N, M, L, a, b, c);
    show("c", c, N * M);

    /* The last row of b is the first of c. */
    fill(block, (N + L - 1) * M, 3);
    kernel_matmul(N, M, L, a, block, block + (L - 1) * M);
    show("block", block, (N + L - 1) * M);

    free(a);
    free(b);
    free(c);
    free(block);
    return 0;
}
