// The host changes one element between two kernels of an iteration.
#include <stdio.h>

int main(void)
{
    int v[30];
    for (int i = 0; i < 30; i++)
        v[i] = i;
    for (int t = 0; t < 4; t++) {
        #pragma omp target teams distribute parallel for map(tofrom: v)
        for (int i = 0; i < 30; i++)
            v[i] += 1;
        v[t] = 0;
        #pragma omp target teams distribute parallel for map(tofrom: v)
        for (int i = 0; i < 30; i++)
            v[i] *= 2;
    }
    printf("%d %d\n", v[0], v[29]);
    return 0;
}
