// What a region of `declare target` declares and the file defines behind it lives on the device: the usual form of headers.
#include <stdio.h>

#pragma omp declare target
extern int count;
extern double table[8];
#pragma omp end declare target

int count;
double table[8];

int main(void)
{
    for (int i = 0; i < 8; i++)
        table[i] = i;
    #pragma omp target update to(table)
    #pragma omp target
    {
        count = 0;
        for (int i = 0; i < 8; i++)
            count += table[i] > 3;
    }
    #pragma omp target update from(count)
    printf("%d\n", count);
    return 0;
}
