// Shows: OmpSan listing 2.1: target and teams apart; the sum is firstprivate in target and lost.
#include <stdio.h>

#define N 10

int main(void)
{
    int values[N], total = 0;
    for (int k = 0; k < N; k++)
        values[k] = k;
    #pragma omp target
    #pragma omp teams distribute parallel for reduction(+: total)
    for (int k = 0; k < N; k++)
        total += values[k];
    printf("total %d\n", total); // finds: scalar-change-lost total
    return 0;
}
