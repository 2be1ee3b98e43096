// Counted atomically in one region, read plainly in the next.
// judge: no race
#include <stdio.h>

int main(void)
{
    int bins[10] = {0}, copy[10];
    #pragma omp target teams distribute parallel for map(tofrom: bins)
    for (int i = 0; i < 500; i++) {
        #pragma omp atomic
        bins[i % 10]++;
    }
    #pragma omp target teams distribute parallel for map(to: bins) map(from: copy)
    for (int k = 0; k < 10; k++)
        copy[k] = bins[k];
    printf("%d\n", copy[9]);
    return 0;
}
