// Shows: OmpSan figure 2 as it should be: both arrays are copied in whole.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 100, *A = malloc(n * sizeof *A), *C = malloc(n * sizeof *C);
    for (int k = 0; k < n; k++) {
        A[k] = k + 1;
        C[k] = 2 * k;
    }
    #pragma omp target enter data map(to: A[0:n], C[0:n])
    #pragma omp target teams distribute parallel for
    for (int k = 0; k < n; k++)
        C[k] += A[k];
    #pragma omp target exit data map(from: C[0:n]) map(release: A[0:n])
    for (int k = 0; k < n; k++)
        printf("%d\n", C[k]);
    free(A);
    free(C);
    return 0;
}
