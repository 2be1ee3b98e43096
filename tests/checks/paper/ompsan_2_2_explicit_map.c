// Shows: OmpSan listing 2.2: target maps the sum explicitly.
#include <stdio.h>

#define N 10

int main(void)
{
    int values[N], total = 0;
    for (int k = 0; k < N; k++)
        values[k] = k;
    #pragma omp target map(tofrom: total)
    #pragma omp teams distribute parallel for reduction(+: total)
    for (int k = 0; k < N; k++)
        total += values[k];
    printf("total %d\n", total);
    return 0;
}
