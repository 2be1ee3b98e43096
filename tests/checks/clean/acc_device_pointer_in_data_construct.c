// Shows: a data construct names a pointer that holds memory of the device; the kernels in it follow the pointer.
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENACC
#include <openacc.h>
#else
// Without OpenACC there is one memory.
static void *acc_malloc(size_t bytes) { return malloc(bytes); }
static void acc_free(void *memory) { free(memory); }
#endif

int main(void)
{
    double c[100];
    double *b = acc_malloc(sizeof c);
    #pragma acc data deviceptr(b) copyout(c)
    {
        #pragma acc parallel loop
        for (int i = 0; i < 100; i++)
            b[i] = i;
        #pragma acc parallel loop
        for (int i = 0; i < 100; i++)
            c[i] = 2 * b[i];
    }
    acc_free(b);
    printf("%g\n", c[3]);
    return 0;
}
