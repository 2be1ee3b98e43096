// Shows: OmpSan figure 2: half of A is copied in, C is only allocated; the kernel uses all of both.
#include <stdio.h>

int main(void)
{
    int A[100], C[100];
    for (int k = 0; k < 100; k++) {
        A[k] = k + 1;
        C[k] = 2 * k;
    }
    #pragma omp target enter data map(to: A[0:50]) map(alloc: C[0:100])
    #pragma omp target
    for (int k = 0; k < 100; k++)
        C[k] += A[k]; // finds: never-copied-in C; section-too-short A
    #pragma omp target exit data map(from: C[0:100]) map(release: A[0:50])
    for (int k = 0; k < 100; k++)
        printf("%d\n", C[k]);
    return 0;
}
