// Shows: the function is called outside of any environment: its map(to:) copies what the host has written.
#include <stdio.h>
#include <stdlib.h>

static long dot(int n, const int *p, const int *q)
{
    long sum = 0;
    #pragma omp target teams distribute parallel for map(to: p[0:n], q[0:n]) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += (long)p[i] * q[i];
    return sum;
}

int main(void)
{
    enum { LENGTH = 333 };
    int *p = malloc(LENGTH * sizeof *p), *q = malloc(LENGTH * sizeof *q);
    long first, second;
    for (int i = 0; i < LENGTH; i++) {
        p[i] = i % 4;
        q[i] = i % 6;
    }
    first = q[5];
    for (int i = 0; i < LENGTH; i++)
        p[i] += 1;
    second = dot(LENGTH, p, q);
    printf("%ld %ld\n", first, second);
    free(p);
    free(q);
    return 0;
}
