// Shows: the largest value is found by test and assignment of all iterations at once.
// judge: race
#include <stdio.h>

#define N 120

int main(void)
{
    int v[N], best = -1;
    for (int i = 0; i < N; i++)
        v[i] = i * 37 % 101;
    #pragma omp target parallel for map(to: v) map(tofrom: best) // finds: directive-contradicts-dependence best
    for (int i = 0; i < N; i++) {
        if (v[i] > best)
            best = v[i];
    }
    printf("%d\n", best);
    return 0;
}
