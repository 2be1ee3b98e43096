// Shows: a function maps what its pointers lead to, and its caller gives it static arrays.
#include <stdio.h>

#define N 120

static void doubled(int n, int *from, int *to)
{
    #pragma omp target teams distribute parallel for map(to: from[0:n]) map(from: to[0:n])
    for (int i = 0; i < n; i++)
        to[i] = 2 * from[i] + 1;
}

int main(void)
{
    static int a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = i % 17;
    doubled(N, a, b);
    for (int i = 0; i < N; i++)
        printf("%d\n", b[i]);
    return 0;
}
