// It fills an array of the host, which is copied.
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

static void fill(int n, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = i;
}

int main(void)
{
    int n = 40, device = omp_get_default_device(), host = omp_get_initial_device();
    double v[40], *raw = omp_target_alloc(n * sizeof *raw, device);
    fill(n, v);
    omp_target_memcpy(raw, v, n * sizeof *raw, 0, 0, device, host);
    #pragma omp target teams distribute parallel for is_device_ptr(raw)
    for (int i = 0; i < n; i++)
        raw[i] += 1;
    omp_target_memcpy(v, raw, n * sizeof *raw, 0, 0, host, device);
    printf("%g\n", v[39]);
    omp_target_free(raw, device);
    return 0;
}
