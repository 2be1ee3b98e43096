// Shows: the update insists on present data, but comes before enter data.
// compiler: clang
#include <stdio.h>

enum { N = 47 };

int main(void)
{
    int v[N], sum = 0;
    for (int i = 0; i < N; i++)
        v[i] = i;
    #pragma omp target update to(present: v) // finds: present-missing v
    #pragma omp target enter data map(to: v)
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < N; i++)
        sum += v[i];
    #pragma omp target exit data map(release: v)
    printf("%d\n", sum);
    return 0;
}
