// An update brings it back before.
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#else
// Without OpenMP there is one memory.
static int omp_get_default_device(void) { return 0; }
static void *omp_target_alloc(size_t bytes, int device) { return device < 0 ? NULL : malloc(bytes); }
static void omp_target_free(void *memory, int device) { (void)device, free(memory); }
static int omp_target_associate_ptr(const void *data, const void *memory, size_t bytes, size_t offset, int device)
{
    (void)data, (void)memory, (void)bytes, (void)offset, (void)device;
    return 0;
}
static int omp_target_disassociate_ptr(const void *data, int device) { (void)data, (void)device; return 0; }
#endif

static void fill(int n, int *v)
{
    #pragma omp target teams distribute parallel for map(from: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] = 3 * i;
}

int main(void)
{
    int n = 33, *v = calloc(n, sizeof *v), device = omp_get_default_device();
    void *memory = omp_target_alloc(n * sizeof *v, device);
    omp_target_associate_ptr(v, memory, n * sizeof *v, 0, device);
    fill(n, v);
    #pragma omp target update from(v[0:n])
    omp_target_disassociate_ptr(v, device);
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    omp_target_free(memory, device);
    free(v);
    return 0;
}
