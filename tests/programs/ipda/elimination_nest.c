// elimination_nest: rows of planes are eliminated one after the other; planes and columns know nothing of each other (after figure 12 of IPDA).
// sizes: -DNX=9 -DNY=21 -DNZ=5
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NX
#define NX 13
#endif
#ifndef NY
#define NY 11
#endif
#ifndef NZ
#define NZ 7
#endif

static long lhs[5][NZ][NY][NX], rhs[3][NZ][NY][NX];

static void fill(long *v, int n, int step)
{
    for (int i = 0; i < n; i++) // loop: parallel
        v[i] = (i * step + i / 16) % 11 - 5;
}

static void show(const char *name, const long *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) // loop: parallel, reduction(+:sum)
        sum += (uint64_t)v[i] * (uint64_t)(2 * i + 1);
    printf("%s: %016llx first %d middle %d last %d\n", name, (unsigned long long)sum, (int)v[0], (int)v[n / 2], (int)v[n - 1]);
}

void kernel_eliminate(int nx, int ny, int nz)
{
    for (int k = 1; k <= nz - 2; k++) { // loop: parallel
        for (int j = 0; j <= ny - 3; j++) { // loop: sequential, pair(+9 lhs[2][k][next][i], +4 lhs[2][k][j][i]), because row j + 1 is read by the next iteration
            int next = j + 1;
            int last = j + 2;
            for (int i = 1; i <= nx - 2; i++) { // loop: parallel
                long factor = 1 + lhs[2][k][j][i] % 3;
                lhs[3][k][j][i] = factor * lhs[3][k][j][i] % 1009;
                lhs[4][k][j][i] = factor * lhs[4][k][j][i] % 1009;
                for (int m = 0; m < 3; m++) // loop: parallel
                    rhs[m][k][j][i] = factor * rhs[m][k][j][i] % 1009;
                lhs[2][k][next][i] = (lhs[2][k][next][i] - lhs[1][k][next][i] * lhs[3][k][j][i]) % 1009;
                lhs[1][k][last][i] = (lhs[1][k][last][i] - lhs[0][k][last][i] * lhs[4][k][j][i]) % 1009;
            }
        }
    }
}

int main(void)
{
    fill(&lhs[0][0][0][0], 5 * NZ * NY * NX, 5);
    fill(&rhs[0][0][0][0], 3 * NZ * NY * NX, 3);
    kernel_eliminate(NX, NY, NZ);
    show("lhs", &lhs[0][0][0][0], 5 * NZ * NY * NX);
    show("rhs", &rhs[0][0][0][0], 3 * NZ * NY * NX);
    kernel_eliminate(NX - 4, NY, NZ - 2);
    show("lhs", &lhs[0][0][0][0], 5 * NZ * NY * NX);
    show("rhs", &rhs[0][0][0][0], 3 * NZ * NY * NX);
    return 0;
}
