// It is brought back by an update.
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
static void acc_memcpy_to_device(void *to, void *from, size_t bytes) { memcpy(to, from, bytes); }
#endif

int main(void)
{
    int n = 27, *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w);
    int *memory = acc_malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = w[i] = i;
    acc_memcpy_to_device(memory, w, n * sizeof *v);
    acc_map_data(v, memory, n * sizeof *v);
    #pragma acc parallel loop present(v[0:n])
    for (int i = 0; i < n; i++)
        v[i] *= 2;
    #pragma acc update self(v[0:n])
    printf("%d\n", v[26]);
    acc_unmap_data(v);
    acc_free(memory);
    free(v);
    free(w);
    return 0;
}
