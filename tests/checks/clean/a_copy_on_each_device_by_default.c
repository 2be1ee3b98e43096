// Each device has a copy of its own of one array; which device is meant is said by a call.
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_num_devices(void) { return 1; }
static void omp_set_default_device(int device) { (void)device; }
#endif

int main(void)
{
    int devices = omp_get_num_devices(), table[20], wrong = 0;
    for (int i = 0; i < 20; i++)
        table[i] = i;
    for (int device = 0; device < devices; device++) {
        omp_set_default_device(device);
        #pragma omp target enter data map(to: table)
    }
    for (int device = 0; device < devices; device++) {
        omp_set_default_device(device);
        int sum = 0;
        #pragma omp target map(tofrom: sum)
        for (int i = 0; i < 20; i++)
            sum += table[i];
        wrong += sum != 190;
    }
    for (int device = 0; device < devices; device++) {
        omp_set_default_device(device);
        #pragma omp target exit data map(delete: table)
    }
    printf("%d\n", wrong);
    return 0;
}
