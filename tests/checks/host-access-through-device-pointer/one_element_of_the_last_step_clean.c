// That element is copied.
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

struct state {
    int n;
    int *cells;
};

int main(void)
{
    int device = omp_get_default_device(), host = omp_get_initial_device(), out[30];
    struct state s;
    s.n = 30;
    s.cells = omp_target_alloc(30 * sizeof *s.cells, device);
    int *cells = s.cells;
    for (int step = 0; step < 3; step++) {
        #pragma omp target teams distribute parallel for is_device_ptr(cells)
        for (int i = 0; i < 30; i++)
            cells[i] = step * i;
        if (step == 2)
            omp_target_memcpy(out, cells, sizeof *out, 7 * sizeof *out, 7 * sizeof *cells, host, device);
    }
    printf("%d\n", out[7]);
    (void)host;
    omp_target_free(cells, device);
    return 0;
}
