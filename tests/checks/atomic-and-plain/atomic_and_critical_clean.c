// The critical region has a bin of its own.
// judge: no race
#include <stdio.h>

int main(void)
{
    int bins[16] = {0};
    #pragma omp target map(tofrom: bins)
    #pragma omp parallel for
    for (int i = 0; i < 640; i++) {
        #pragma omp atomic
        bins[5]++;
        #pragma omp critical
        bins[6] += 2;
    }
    printf("%d\n", bins[5]);
    return 0;
}
