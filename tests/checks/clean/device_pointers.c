// Shows: device memory by hand: omp_target_alloc, is_device_ptr, omp_target_memcpy; use_device_ptr for mapped data.
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

static void square(int n, int *on_device)
{
    #pragma omp target teams distribute parallel for is_device_ptr(on_device)
    for (int i = 0; i < n; i++)
        on_device[i] *= on_device[i];
}

int main(void)
{
    int n = 50, device = omp_get_default_device(), host = omp_get_initial_device();
    int *v = malloc(n * sizeof *v), *w = malloc(n * sizeof *w);
    int *raw = omp_target_alloc(n * sizeof *raw, device);
    for (int i = 0; i < n; i++)
        v[i] = w[i] = i;
    omp_target_memcpy(raw, v, n * sizeof *v, 0, 0, device, host);
    square(n, raw);
    omp_target_memcpy(v, raw, n * sizeof *v, 0, 0, host, device);
    omp_target_free(raw, device);
    #pragma omp target data map(tofrom: w[0:n])
    {
        #pragma omp target data use_device_ptr(w)
        square(n, w);
    }
    for (int i = 0; i < n; i++)
        printf("%d %d\n", v[i], w[i]);
    free(v);
    free(w);
    return 0;
}
