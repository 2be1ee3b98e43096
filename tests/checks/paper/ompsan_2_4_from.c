// Shows: OmpSan listing 2.4: B is mapped from in the inner region too and comes back. A is never released.
// judge: same (the first array stays allocated on the device, no value is wrong)
#include <stdio.h>

enum { SIZE = 10 };

int main(void)
{
    int A[SIZE], B[SIZE];
    for (int k = 0; k < SIZE; k++)
        A[k] = 5 * k;
    #pragma omp target enter data map(to: A[0:SIZE]) map(alloc: B[0:SIZE]) // finds: enter-without-exit A
    #pragma omp target map(from: B[0:SIZE])
    for (int k = 0; k < SIZE; k++)
        B[k] = A[k];
    #pragma omp target exit data map(from: B[0:SIZE])
    for (int k = 0; k < SIZE; k++)
        printf("%d\n", B[k]);
    return 0;
}
