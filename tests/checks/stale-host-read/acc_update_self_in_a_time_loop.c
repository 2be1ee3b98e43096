// The host prints an element in each step; the result is copied back by a call behind the last one.
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENACC
#include <openacc.h>
#else
// Without OpenACC there is one memory.
static void acc_copyin(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_copyout(void *data, size_t bytes) { (void)data, (void)bytes; }
#endif

int main(void)
{
    int n = 64;
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    acc_copyin(a, n * sizeof *a);
    for (int step = 0; step < 4; step++) {
        #pragma acc parallel loop present(a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += 1;
        printf("%g\n", a[63]); // finds: stale-host-read a
    }
    acc_copyout(a, n * sizeof *a);
    printf("%g\n", a[0]);
    free(a);
    return 0;
}
