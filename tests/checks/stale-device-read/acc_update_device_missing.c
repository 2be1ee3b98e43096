// The host changes what a call has copied to the device.
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENACC
#include <openacc.h>
#else
// Without OpenACC there is one memory.
static void acc_copyin(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_delete(void *data, size_t bytes) { (void)data, (void)bytes; }
#endif

int main(void)
{
    int n = 33, *a = malloc(n * sizeof *a), sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = 1;
    acc_copyin(a, n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = 2;
    #pragma acc parallel loop present(a[0:n]) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += a[i]; // finds: stale-device-read a
    acc_delete(a, n * sizeof *a);
    printf("%d\n", sum);
    free(a);
    return 0;
}
