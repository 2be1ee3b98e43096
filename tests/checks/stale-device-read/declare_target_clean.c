// Shows: the host changes a variable of the device's image and updates it.
#include <stdio.h>

#pragma omp declare target
int table[16];
int factor;
#pragma omp end declare target

int main(void)
{
    int out[16];
    for (int i = 0; i < 16; i++)
        table[i] = i * i;
    factor = 3;
    #pragma omp target update to(table, factor)
    #pragma omp target teams distribute parallel for map(from: out)
    for (int i = 0; i < 16; i++)
        out[i] = factor * table[i];
    for (int i = 0; i < 16; i++)
        printf("%d\n", out[i]);
    return 0;
}
