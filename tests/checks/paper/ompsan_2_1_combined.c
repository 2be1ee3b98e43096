// Shows: the twin of OmpSan listing 2.1: on the combined construct the reduction variable is mapped tofrom (OpenMP 5.0).
#include <stdio.h>

#define N 10

int main(void)
{
    int values[N], total = 0;
    for (int k = 0; k < N; k++)
        values[k] = k;
    #pragma omp target teams distribute parallel for reduction(+: total)
    for (int k = 0; k < N; k++)
        total += values[k];
    printf("total %d\n", total);
    return 0;
}
