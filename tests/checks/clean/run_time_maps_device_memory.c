// Shows: a call says which memory of the device is the copy of v; a region that needs v there finds it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENACC
#include <openacc.h>
#else
// Without OpenACC there is one memory.
static void *acc_malloc(size_t bytes) { return malloc(bytes); }
static void acc_free(void *memory) { free(memory); }
static void acc_map_data(void *data, void *memory, size_t bytes) { (void)data, (void)memory, (void)bytes; }
static void acc_unmap_data(void *data) { (void)data; }
static void acc_update_device(void *data, size_t bytes) { (void)data, (void)bytes; }
static void acc_update_self(void *data, size_t bytes) { (void)data, (void)bytes; }
#endif

int main(void)
{
    int n = 31, *v = malloc(n * sizeof *v);
    void *memory = acc_malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i;
    acc_map_data(v, memory, n * sizeof *v);
    acc_update_device(v, n * sizeof *v);
    #pragma acc parallel loop present(v[0:n])
    for (int i = 0; i < n; i++)
        v[i] *= 2;
    acc_update_self(v, n * sizeof *v);
    acc_unmap_data(v);
    printf("%d\n", v[30]);
    acc_free(memory);
    free(v);
    return 0;
}
