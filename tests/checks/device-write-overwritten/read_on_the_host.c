// Shows: nothing on the device reads what came over its own elements; the host does, behind the environment.
#include <stdio.h>

int main(void)
{
    long tally[50] = {0};
    #pragma omp target data map(tofrom: tally)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 50; i++)
            tally[i] = 11 * i + 1;
        #pragma omp target update to(tally)
    }
    for (int i = 0; i < 50; i++)
        printf("%ld\n", tally[i]); // finds: device-write-overwritten tally
    return 0;
}
