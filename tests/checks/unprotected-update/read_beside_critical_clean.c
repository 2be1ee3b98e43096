// They look at it in the same region.
// judge: no race
#include <stdio.h>

int main(void)
{
    int best = 0, behind[500];
    #pragma omp parallel for
    for (int i = 0; i < 500; i++) {
        #pragma omp critical(best)
        {
            best = best > i % 211 ? best : i % 211;
            behind[i] = best - i % 211;
        }
    }
    printf("%d %d\n", best, behind[499] >= 0);
    return 0;
}
