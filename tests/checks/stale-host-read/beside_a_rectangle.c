// Shows: a rectangle is copied between the memories by calls; the sums of the rows stay on the device.
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
static int omp_target_memcpy_rect(void *to, const void *from, size_t bytes, int dimensions, const size_t *volume,
                                  const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dimensions,
                                  const size_t *from_dimensions, int to_device, int from_device)
{
    (void)dimensions, (void)to_device, (void)from_device;
    for (size_t i = 0; i < volume[0]; i++)
        memcpy((char *)to + ((to_offsets[0] + i) * to_dimensions[1] + to_offsets[1]) * bytes,
               (const char *)from + ((from_offsets[0] + i) * from_dimensions[1] + from_offsets[1]) * bytes,
               volume[1] * bytes);
    return 0;
}
#endif

int main(void)
{
    enum { ROWS = 6, COLUMNS = 9 };
    int table[ROWS][COLUMNS], part[2][3], total[ROWS], n = ROWS;
    int device = omp_get_default_device(), host = omp_get_initial_device();
    int *memory = omp_target_alloc(sizeof table, device);
    size_t volume[2] = {2, 3}, at[2] = {1, 4}, zero[2] = {0, 0};
    size_t whole[2] = {ROWS, COLUMNS}, small[2] = {2, 3};
    for (int r = 0; r < n; r++) {
        total[r] = 0;
        for (int c = 0; c < COLUMNS; c++)
            table[r][c] = 10 * r + c;
    }
    omp_target_memcpy_rect(memory, table, sizeof(int), 2, whole, zero, zero, whole, whole, device, host);
    #pragma omp target data map(tofrom: total)
    {
        #pragma omp target teams distribute parallel for is_device_ptr(memory)
        for (int r = 0; r < n; r++)
            for (int c = 0; c < COLUMNS; c++) {
                memory[r * COLUMNS + c] += 1;
                total[r] += memory[r * COLUMNS + c];
            }
        omp_target_memcpy_rect(part, memory, sizeof(int), 2, volume, zero, at, small, whole, host, device);
        for (int r = 0; r < n; r++)
            printf("%d\n", total[r]); // finds: stale-host-read total
    }
    for (int k = 0; k < 6; k++)
        printf("%d\n", part[k / 3][k % 3]);
    omp_target_free(memory, device);
    return 0;
}
