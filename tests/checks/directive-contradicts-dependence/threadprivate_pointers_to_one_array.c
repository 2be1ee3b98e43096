// Shows: each thread has a pointer of its own, but all of them lead to one array.
// judge: race
#include <stdio.h>

static double all[10], out[100];
static double *work;
#pragma omp threadprivate(work)

int main(void)
{
    #pragma omp parallel
    work = all;
    #pragma omp parallel for // finds: directive-contradicts-dependence work
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < 10; j++)
            work[j] = i * j;
        double s = 0;
        for (int j = 0; j < 10; j++)
            s += work[j];
        out[i] = s;
    }
    printf("%g %g\n", out[5], out[99]);
    return 0;
}
