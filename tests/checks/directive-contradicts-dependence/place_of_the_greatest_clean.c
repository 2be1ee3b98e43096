// Both are set in a critical region, in which the comparison is made again.
// judge: no race
#include <stdio.h>

int main(void)
{
    int v[600];
    for (int i = 0; i < 600; i++)
        v[i] = i * 37 % 101;
    int best = -1, at = -1;
    #pragma omp parallel for
    for (int i = 0; i < 600; i++) {
        #pragma omp critical
        if (v[i] > best) {
            best = v[i];
            at = i;
        }
    }
    printf("%d %d\n", best, at >= 0);
    return 0;
}
