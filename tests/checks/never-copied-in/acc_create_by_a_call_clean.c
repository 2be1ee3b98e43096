// acc_copyin copies.
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
    int n = 60, *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    acc_copyin(a, n * sizeof *a);
    #pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1;
    acc_copyout(a, n * sizeof *a);
    printf("%d\n", a[59]);
    free(a);
    return 0;
}
