// The element is copied.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENACC
#include <openacc.h>
#else
// Without OpenACC there is one memory.
static void *acc_malloc(size_t bytes) { return malloc(bytes); }
static void acc_free(void *memory) { free(memory); }
static void acc_memcpy_to_device(void *to, void *from, size_t bytes) { memcpy(to, from, bytes); }
static void acc_memcpy_from_device(void *to, void *from, size_t bytes) { memcpy(to, from, bytes); }
#endif

int main(void)
{
    int n = 20, v[20], *raw = acc_malloc(n * sizeof *raw);
    for (int i = 0; i < n; i++)
        v[i] = i;
    acc_memcpy_to_device(raw, v, n * sizeof *raw);
    #pragma acc parallel loop deviceptr(raw)
    for (int i = 0; i < n; i++)
        raw[i] = raw[i] * raw[i];
    acc_memcpy_from_device(&v[3], &raw[3], sizeof *raw);
    printf("%d\n", v[3]);
    acc_free(raw);
    return 0;
}
