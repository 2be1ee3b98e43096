// The counter is updated atomically and read plainly in the next statement.
// judge: race
#include <stdio.h>

int main(void)
{
    int hits = 0, last[300];
    #pragma omp target teams distribute parallel for map(tofrom: hits) map(from: last)
    for (int i = 0; i < 300; i++) {
        #pragma omp atomic
        hits++;
        last[i] = hits; // finds: atomic-and-plain hits
    }
    printf("%d %d\n", hits, last[0] > 0);
    return 0;
}
