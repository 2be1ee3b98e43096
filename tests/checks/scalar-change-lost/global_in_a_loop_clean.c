// Shows: the global scalar is mapped around the loop.
#include <stdio.h>

static int seed = 7;

int main(void)
{
    int out[20];
    #pragma omp target data map(from: out) map(tofrom: seed)
    for (int step = 0; step < 20; step++) {
        #pragma omp target map(tofrom: seed)
        {
            seed = (seed * 13 + 5) % 101;
            out[step] = step;
        }
    }
    for (int i = 0; i < 20; i++)
        printf("%d\n", out[i]);
    printf("%d\n", seed);
    return 0;
}
