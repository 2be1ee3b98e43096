// A call updates the element on the host in each step.
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENACC
#include <openacc.h>
#else
// Without OpenACC there is one memory.
static void acc_copyin(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_copyout(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_update_self(void *data, size_t bytes) { (void)data, (void)bytes; }
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
        acc_update_self(&a[63], sizeof *a);
        printf("%g\n", a[63]);
    }
    acc_copyout(a, n * sizeof *a);
    printf("%g\n", a[0]);
    free(a);
    return 0;
}
