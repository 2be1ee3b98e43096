// Shows: a thread publishes the best value in a critical region, and others look at it outside of one.
// judge: race
#include <stdio.h>

int main(void)
{
    int best = 0, behind[500];
    #pragma omp parallel for
    for (int i = 0; i < 500; i++) {
        #pragma omp critical(best)
        best = best > i % 211 ? best : i % 211;
        behind[i] = best - i % 211; // finds: unprotected-update best
    }
    printf("%d %d\n", best, behind[499] >= 0);
    return 0;
}
