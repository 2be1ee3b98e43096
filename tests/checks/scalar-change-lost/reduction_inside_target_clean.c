// Shows: the reduction belongs to teams, and the target around it maps sum.
#include <stdio.h>

#define N 10

int main(void)
{
    int A[N], sum = 0;
    for (int i = 0; i < N; i++)
        A[i] = i;
    #pragma omp target map(tofrom: sum)
    #pragma omp teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < N; i++)
        sum += A[i];
    printf("%d\n", sum);
    return 0;
}
