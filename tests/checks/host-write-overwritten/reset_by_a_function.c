// Shows: a function clears the mapped counters on the host; the exit directive brings the old ones back.
#include <stdio.h>
#include <stdlib.h>

static int *counters;
static int kinds;

static void clear(void)
{
    for (int k = 0; k < kinds; k++)
        counters[k] = 0;
}

static void count(int n)
{
    #pragma omp target
    for (int i = 0; i < n; i++)
        counters[i % kinds] += 1;
}

int main(void)
{
    kinds = 50;
    counters = malloc(kinds * sizeof *counters);
    for (int k = 0; k < kinds; k++)
        counters[k] = 0;
    #pragma omp target enter data map(to: counters[0:kinds])
    count(777);
    clear();
    #pragma omp target exit data map(from: counters[0:kinds])
    for (int k = 0; k < kinds; k++)
        printf("%d\n", counters[k]); // finds: host-write-overwritten counters
    free(counters);
    return 0;
}
