// Shows: the first of several steps reads the start values, which exist only on the host.
#include <stdio.h>

enum { CELLS = 200, STEPS = 4 };

static long now[CELLS], next[CELLS];

int main(void)
{
    for (int i = 0; i < CELLS; i++)
        now[i] = i * i % 11;
    #pragma omp target data map(from: now) map(alloc: next)
    for (int step = 0; step < STEPS; step++) {
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < CELLS - 1; i++)
            next[i] = now[i - 1] + now[i + 1]; // finds: never-copied-in now
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < CELLS - 1; i++)
            now[i] = next[i];
    }
    for (int i = 0; i < CELLS; i++)
        printf("%ld\n", now[i]);
    return 0;
}
