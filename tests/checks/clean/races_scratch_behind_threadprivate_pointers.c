// Shows: each thread has a pointer and a structure of its own, and allocates the storage behind them.
// judge: no race
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int *p;
    int length;
} space;

static double *work;
static space other;
#pragma omp threadprivate(work, other)
static double out[100];

int main(void)
{
    #pragma omp parallel
    {
        work = malloc(10 * sizeof *work);
        other.p = malloc(10 * sizeof *other.p);
        other.length = 10;
    }
    #pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < 10; j++) {
            work[j] = i * j;
            other.p[j] = i + j;
        }
        double s = 0;
        for (int j = 0; j < 10; j++)
            s += work[j] + other.p[j];
        out[i] = s;
    }
    #pragma omp parallel
    {
        free(work);
        free(other.p);
    }
    printf("%g %g\n", out[5], out[99]);
    return 0;
}
