// The update copies back what nobody reads before the end of the environment copies again.
// judge: same (nothing is lost)
#include <stdio.h>

int main(void)
{
    int b[30];
    for (int i = 0; i < 30; i++)
        b[i] = i;
    #pragma omp target data map(tofrom: b)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 30; i++)
            b[i] += 1;
        #pragma omp target update from(b) // finds: dead-copy-back b
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 30; i++)
            b[i] *= 2;
    }
    printf("%d\n", b[29]);
    return 0;
}
