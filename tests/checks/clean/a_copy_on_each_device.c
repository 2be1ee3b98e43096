// Each device has a copy of its own of one array; a loop puts them there, another takes them off.
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_num_devices(void) { return 1; }
#endif

int main(void)
{
    int devices = omp_get_num_devices(), table[20], wrong = 0;
    for (int i = 0; i < 20; i++)
        table[i] = i;
    for (int device = 0; device < devices; device++) {
        #pragma omp target enter data map(to: table) device(device)
    }
    for (int device = 0; device < devices; device++) {
        int sum = 0;
        #pragma omp target map(tofrom: sum) device(device)
        for (int i = 0; i < 20; i++)
            sum += table[i];
        wrong += sum != 190;
    }
    for (int device = 0; device < devices; device++) {
        #pragma omp target exit data map(delete: table) device(device)
    }
    printf("%d\n", wrong);
    return 0;
}
