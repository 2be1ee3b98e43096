// Each step starts a task that adds to one sum, and none waits for the one before.
// judge: same (the task may be done before the host goes on)
#include <stdio.h>

int main(void)
{
    int total = 0, v[64];
    for (int i = 0; i < 64; i++)
        v[i] = i;
    for (int step = 0; step < 8; step++) {
        #pragma omp target map(tofrom: total) map(to: v) nowait
        for (int i = 0; i < 64; i++)
            total += v[i]; // finds: unordered-tasks total
    }
    #pragma omp taskwait
    printf("%d\n", total > 0);
    return 0;
}
