// Shows: the first iteration puts the data on the device and goes on with the next one (`continue`), in which the region runs.
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 5;
    double *a = malloc(10 * sizeof *a);
    for (int i = 0; i < 10; i++) a[i] = i;
    for (int t = 0; t < steps; t++) {
        if (t == 0) {
            #pragma omp target enter data map(to: a[0:10])
            continue;
        }
        #pragma omp target teams distribute parallel for map(alloc: a[0:10])
        for (int i = 0; i < 10; i++) a[i] += 1;
    }
    if (steps > 0) {
        #pragma omp target exit data map(from: a[0:10])
    }
    printf("%g\n", a[9]);
    free(a);
    return 0;
}
