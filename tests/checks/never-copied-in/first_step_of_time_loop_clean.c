// Shows: the start values are copied in with the data environment.
#include <stdio.h>

enum { CELLS = 200, STEPS = 4 };

static long now[CELLS], next[CELLS];

int main(void)
{
    for (int i = 0; i < CELLS; i++)
        now[i] = i * i % 11;
    #pragma omp target data map(tofrom: now) map(alloc: next)
    for (int step = 0; step < STEPS; step++) {
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < CELLS - 1; i++)
            next[i] = now[i - 1] + now[i + 1];
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < CELLS - 1; i++)
            now[i] = next[i];
    }
    for (int i = 0; i < CELLS; i++)
        printf("%ld\n", now[i]);
    return 0;
}
