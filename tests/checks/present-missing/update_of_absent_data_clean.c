// Shows: the update insists on present data and comes after enter data.
// compiler: clang
#include <stdio.h>

enum { N = 47 };

int main(void)
{
    int v[N], sum = 0;
    for (int i = 0; i < N; i++)
        v[i] = i;
    #pragma omp target enter data map(alloc: v)
    #pragma omp target update to(present: v)
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < N; i++)
        sum += v[i];
    #pragma omp target exit data map(release: v)
    printf("%d\n", sum);
    return 0;
}
