// Shows: OmpSan listing 2.5: the inner from copies nothing, as the count falls from 2 to 1; the host reads old values.
#include <stdio.h>

#define COUNT 100

int main(void)
{
    int A[COUNT], total = 0;
    for (int k = 0; k < COUNT; k++)
        A[k] = -1;
    #pragma omp target data map(from: A[0:COUNT])
    {
        #pragma omp target map(from: A[0:COUNT])
        for (int k = 0; k < COUNT; k++)
            A[k] = k;
        for (int k = 0; k < COUNT; k++)
            total += A[k]; // finds: stale-host-read A
    }
    printf("%d\n", total);
    return 0;
}
