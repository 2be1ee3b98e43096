// A call takes the data off the device that the region needs there.
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENACC
#include <openacc.h>
#else
// Without OpenACC there is one memory.
static void acc_copyin(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_copyout(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_delete(void *data, size_t bytes) { (void)data, (void)bytes; }
#endif

int main(void)
{
    int n = 12, *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    acc_copyin(a, n * sizeof *a);
    acc_delete(a, n * sizeof *a);
    #pragma acc parallel loop present(a[0:n]) // finds: present-missing a
    for (int i = 0; i < n; i++)
        a[i] = 5;
    acc_copyin(a, n * sizeof *a);
    acc_copyout(a, n * sizeof *a);
    printf("%d\n", a[11]);
    free(a);
    return 0;
}
