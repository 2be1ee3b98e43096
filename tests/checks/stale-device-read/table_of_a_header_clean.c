// A table that a region of `declare target` declares and the file defines, and the update brings the host's change.
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
    #pragma omp target update to(table)
    #pragma omp target map(from: first)
    first = table[3];
    printf("%g\n", first);
    return 0;
}
