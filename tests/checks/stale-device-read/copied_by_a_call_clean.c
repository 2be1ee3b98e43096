// The part is updated on the device.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
// Without OpenMP there is one memory.
static int omp_get_default_device(void) { return 0; }
static int omp_get_initial_device(void) { return 0; }
static void *omp_target_alloc(size_t bytes, int device) { return device < 0 ? NULL : malloc(bytes); }
static void omp_target_free(void *memory, int device) { (void)device, free(memory); }
static int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset,
                             int to_device, int from_device)
{
    (void)to_device, (void)from_device;
    memcpy((char *)to + to_offset, (const char *)from + from_offset, bytes);
    return 0;
}
#endif

int main(void)
{
    int n = 25, *v = malloc(n * sizeof *v), *raw;
    int device = omp_get_default_device(), host = omp_get_initial_device();
    for (int i = 0; i < n; i++)
        v[i] = i;
    raw = omp_target_alloc(n * sizeof *raw, device);
    omp_target_memcpy(raw, v, n * sizeof *v, 0, 0, device, host);
    #pragma omp target data map(to: v[0:n])
    {
        omp_target_memcpy(v, raw, 5 * sizeof *v, 10 * sizeof *v, 0, host, device);
        #pragma omp target update to(v[10:5])
        #pragma omp target teams distribute parallel for is_device_ptr(raw)
        for (int i = 0; i < n; i++)
            raw[i] = v[i];
    }
    omp_target_memcpy(v, raw, n * sizeof *v, 0, 0, host, device);
    printf("%d %d\n", v[9], v[10]);
    omp_target_free(raw, device);
    free(v);
    return 0;
}
