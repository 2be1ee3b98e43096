// Shows: rows at the edge of two parts go through the host, by updates of these rows only.
#include <stdio.h>
#define NX 16
#define NY 8
static double u[2][NX][NY];
static void exchange(int p, int q)
{
    #pragma omp target update from(u[p][NX-2:1][0:NY])
    for (int j = 0; j < NY; j++) u[q][0][j] = u[p][NX-2][j];
    #pragma omp target update to(u[q][0:1][0:NY])
}
static void sweep(int p)
{
    #pragma omp target teams distribute parallel for collapse(2)
    for (int i = 1; i < NX - 1; i++)
        for (int j = 0; j < NY; j++) u[p][i][j] = u[p][i][j] + u[p][0][j];
}
int main(void)
{
    for (int p = 0; p < 2; p++) for (int i = 0; i < NX; i++) for (int j = 0; j < NY; j++) u[p][i][j] = p + i + j;
    #pragma omp target data map(tofrom: u)
    for (int t = 0; t < 3; t++) { sweep(0); sweep(1); exchange(0, 1); exchange(1, 0); }
    double s = 0;
    for (int p = 0; p < 2; p++) for (int i = 0; i < NX; i++) for (int j = 0; j < NY; j++) s += u[p][i][j];
    printf("%g\n", s);
    return 0;
}
