// Shows: OmpSan figure 2 with arrays of the heap: half of A is copied in, C is only allocated; the kernel uses all of both.
#include <stdio.h>
#include <stdlib.h>

static void enter(int n, int *A, int *C)
{
    #pragma omp target enter data map(to: A[0:n / 2]) map(alloc: C[0:n])
    (void)A, (void)C, (void)n;
}

int main(void)
{
    int n = 100, *A = malloc(n * sizeof *A), *C = malloc(n * sizeof *C);
    for (int k = 0; k < n; k++) {
        A[k] = k + 1;
        C[k] = 2 * k;
    }
    enter(n, A, C);
    #pragma omp target teams distribute parallel for
    for (int k = 0; k < n; k++)
        C[k] += A[k]; // finds: never-copied-in C; section-too-short A
    #pragma omp target exit data map(from: C[0:n]) map(release: A[0:n / 2])
    for (int k = 0; k < n; k++)
        printf("%d\n", C[k]);
    free(A);
    free(C);
    return 0;
}
