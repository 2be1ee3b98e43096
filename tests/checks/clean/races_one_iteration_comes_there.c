// One iteration comes to it, whatever the data are, all that do agree, or the lanes of one thread set it before they read it: no race.
// judge: no race
#include <stdio.h>

int main(void)
{
    int v[600];
    for (int i = 0; i < 600; i++)
        v[i] = i * 37 % 101;
    int at = -1, count = 0, first = 7, found = 0;
    #pragma omp parallel for
    for (int i = 0; i < 600; i++) {
        if (v[i] == 100 && i < 101)
            at = i;
        if (i == first)
            count += v[i];
    }
    #pragma omp parallel for reduction(|: found)
    for (int i = 0; i < 600; i++)
        if (v[i] > 99)
            found |= 1;
    int size, sizes = 0;
    #pragma omp simd reduction(+: sizes)
    for (int i = 0; i < 600; i++) {
        size = v[i] - 50;
        if (size < 0)
            size = -size;
        sizes += size;
    }
    printf("%d %d %d %d\n", at, count, found, sizes);
    return 0;
}
