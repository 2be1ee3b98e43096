// Shows: memory of the device that a call makes the copy of v holds nothing; `map(to:)` copies nothing to what is there.
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

int main(void)
{
    int n = 45, sum = 0, *v = malloc(n * sizeof *v);
    int device = omp_get_default_device();
    int *memory = omp_target_alloc(n * sizeof *memory, device);
    for (int i = 0; i < n; i++)
        v[i] = i;
    omp_target_associate_ptr(v, memory, n * sizeof *v, 0, device);
    #pragma omp target teams distribute parallel for map(to: v[0:n]) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += v[i]; // finds: never-copied-in v
    omp_target_disassociate_ptr(v, device);
    printf("%d\n", sum);
    omp_target_free(memory, device);
    free(v);
    return 0;
}
