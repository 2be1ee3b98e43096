// Shows: OmpSan listing 2.6: an update from before the host reads.
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
        #pragma omp target update from(A[0:COUNT])
        for (int k = 0; k < COUNT; k++)
            total += A[k];
    }
    printf("%d\n", total);
    return 0;
}
