// An array of the host is mapped through a pointer.
#include <stdio.h>

#define N 40

int main(void)
{
    double v[N], *p = v;
    for (int i = 0; i < N; i++)
        v[i] = i;
    #pragma omp target map(tofrom: p[0:N])
    for (int i = 0; i < N; i++)
        p[i] += 1;
    for (int i = 0; i < N; i++)
        printf("%g\n", v[i]);
    return 0;
}
