// Functions put the data on the device by calls and take them off; the last one forgets the result.
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENACC
#include <openacc.h>
#else
// Without OpenACC there is one memory.
static void acc_copyin(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_delete(void *data, size_t bytes) { (void)data, (void)bytes; }
#endif

static void begin(double *v, int n)
{
    acc_copyin(v, n * sizeof *v);
}

static void end(double *v, int n)
{
    acc_delete(v, n * sizeof *v);
}

int main(void)
{
    int n = 45;
    double *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i;
    begin(v, n);
    for (int step = 0; step < 3; step++) {
        #pragma acc parallel loop present(v[0:n])
        for (int i = 0; i < n; i++)
            v[i] = 2 * v[i];
    }
    end(v, n);
    printf("%g\n", v[44]); // finds: never-copied-back v
    free(v);
    return 0;
}
