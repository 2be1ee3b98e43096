// Two regions work on a scalar that is on the device: the first one changes its own copy, the second one takes what is on the device.
#include <stdio.h>

int main(void)
{
    int level = 3, seen = 0;
    #pragma omp target enter data map(to: level)
    #pragma omp target
    level *= 5;
    #pragma omp target map(tofrom: level) map(from: seen)
    seen = level + 1; // finds: scalar-change-lost level
    #pragma omp target exit data map(release: level)
    printf("%d\n", seen);
    return 0;
}
