// Shows: the initial device is the host: what is allocated for it may be touched there.
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#else
// Without OpenMP there is one memory.
static int omp_get_initial_device(void) { return 0; }
static void *omp_target_alloc(size_t bytes, int device) { return device < 0 ? NULL : malloc(bytes); }
static void omp_target_free(void *memory, int device) { (void)device, free(memory); }
#endif

int main(void)
{
    int host = omp_get_initial_device(), *v = omp_target_alloc(40 * sizeof *v, host);
    for (int i = 0; i < 40; i++)
        v[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: v[0:40])
    for (int i = 0; i < 40; i++)
        v[i] += 1;
    printf("%d\n", v[39]);
    omp_target_free(v, host);
    return 0;
}
