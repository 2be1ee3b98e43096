// A table that a region of `declare target` declares and the file defines: the host's change does not come to the device.
#include <stdio.h>

#pragma omp declare target
extern double table[8];
#pragma omp end declare target

double table[8];

int main(void)
{
    double first = 0;
    for (int i = 0; i < 8; i++)
        table[i] = i + 1;
    #pragma omp target map(from: first)
    first = table[3]; // finds: stale-device-read table
    printf("%g\n", first);
    return 0;
}
