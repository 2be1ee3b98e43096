// One bin is updated atomically, and in a critical region, too: the two do not keep each other out.
// judge: race
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
        bins[5] += 2; // finds: atomic-and-plain bins
    }
    printf("%d\n", bins[5]);
    return 0;
}
