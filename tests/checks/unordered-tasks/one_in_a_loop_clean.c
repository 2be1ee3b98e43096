// Each step depends on the one before.
#include <stdio.h>

int main(void)
{
    int total = 0, v[64];
    for (int i = 0; i < 64; i++)
        v[i] = i;
    for (int step = 0; step < 8; step++) {
        #pragma omp target map(tofrom: total) map(to: v) nowait depend(inout: total)
        for (int i = 0; i < 64; i++)
            total += v[i];
    }
    #pragma omp taskwait
    printf("%d\n", total > 0);
    return 0;
}
