// The old value is captured by the update.
// judge: no race
#include <stdio.h>

int main(void)
{
    int hits = 0, last[300];
    #pragma omp target teams distribute parallel for map(tofrom: hits) map(from: last)
    for (int i = 0; i < 300; i++) {
        int now;
        #pragma omp atomic capture
        now = hits++;
        last[i] = now;
    }
    // Each number once, in whatever order.
    int sum = 0;
    for (int i = 0; i < 300; i++)
        sum += last[i];
    printf("%d %d\n", hits, sum);
    return 0;
}
