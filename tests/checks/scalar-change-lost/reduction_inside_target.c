// Shows: the reduction belongs to teams; the target around it has its own firstprivate copy of sum.
#include <stdio.h>

#define N 10

int main(void)
{
    int A[N], sum = 0;
    for (int i = 0; i < N; i++)
        A[i] = i;
    #pragma omp target
    #pragma omp teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < N; i++)
        sum += A[i];
    printf("%d\n", sum); // finds: scalar-change-lost sum
    return 0;
}
