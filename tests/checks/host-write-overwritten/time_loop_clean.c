// Shows: each step the host sets the first elements and sends them to the device.
#include <stdio.h>

enum { LENGTH = 64, STEPS = 3, RIM = 8 };

static int field[LENGTH];

static void set_rim(int *f, int step)
{
    for (int i = 0; i < RIM; i++)
        f[i] = 100 * step + i;
}

int main(void)
{
    for (int i = 0; i < LENGTH; i++)
        field[i] = i % 10;
    #pragma omp target data map(tofrom: field)
    for (int step = 1; step <= STEPS; step++) {
        #pragma omp target teams distribute parallel for
        for (int i = RIM; i < LENGTH; i++)
            field[i] += 10;
        #pragma omp target update from(field)
        set_rim(field, step);
        #pragma omp target update to(field[0:RIM])
    }
    for (int i = 0; i < LENGTH; i++)
        printf("%d\n", field[i]);
    return 0;
}
