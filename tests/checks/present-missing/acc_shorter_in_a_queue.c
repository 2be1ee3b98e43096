// Shows: calls with a queue as their last argument; the first one brings half of what the region needs.
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENACC
#include <openacc.h>
#else
// Without OpenACC there is one memory.
static void acc_copyin_async(void *data, size_t bytes, int queue) { (void)data, (void)bytes, (void)queue; }
static void acc_copyout_async(void *data, size_t bytes, int queue) { (void)data, (void)bytes, (void)queue; }
static void acc_wait_all(void) { }
#endif

int main(void)
{
    int n = 64, *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    acc_copyin_async(a, n / 2 * sizeof *a, 1);
    acc_wait_all();
    #pragma acc parallel loop present(a[0:n]) // finds: present-missing a
    for (int i = 0; i < n; i++)
        a[i] += 5;
    acc_copyout_async(a, n / 2 * sizeof *a, 1);
    acc_wait_all();
    printf("%d %d\n", a[3], a[63]);
    free(a);
    return 0;
}
