// Shows: a loop brings the data that certainly runs, of which this is not known.
#include <stdio.h>
#define N 12
int main(void)
{
    double a[N], err = 1, s = 0;
    for (int i = 0; i < N; i++) a[i] = i;
    #pragma omp target data map(alloc: a)
    {
        while (err > 0.1) {
            for (int i = 0; i < N; i++) a[i] += 1;
            #pragma omp target update to(a)
            err *= 0.2;
        }
        #pragma omp target teams distribute parallel for reduction(+: s) map(tofrom: s)
        for (int i = 0; i < N; i++) s += a[i];
    }
    printf("%g\n", s);
    return 0;
}
