// The place of the greatest element is set beside the greatest one, which alone is reduced.
// judge: race
#include <stdio.h>

int main(void)
{
    int v[600];
    for (int i = 0; i < 600; i++)
        v[i] = i * 37 % 101;
    int best = -1, at = -1;
    #pragma omp parallel for reduction(max: best) // finds: directive-contradicts-dependence at
    for (int i = 0; i < 600; i++) {
        if (v[i] <= best)
            continue;
        best = v[i];
        at = i;
    }
    printf("%d %d\n", best, at > 0);
    return 0;
}
