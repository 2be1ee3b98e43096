// Shows: the function's map(to:) copies nothing, as the data are present from outside; the host has changed them since.
#include <stdio.h>
#include <stdlib.h>

static long dot(int n, const int *p, const int *q)
{
    long sum = 0;
    #pragma omp target teams distribute parallel for map(to: p[0:n], q[0:n]) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += (long)p[i] * q[i]; // finds: stale-device-read p
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
    #pragma omp target enter data map(to: p[0:LENGTH])
    first = q[5];
    for (int i = 0; i < LENGTH; i++)
        p[i] += 1;
    second = dot(LENGTH, p, q);
    #pragma omp target exit data map(release: p[0:LENGTH])
    printf("%ld %ld\n", first, second);
    free(p);
    free(q);
    return 0;
}
