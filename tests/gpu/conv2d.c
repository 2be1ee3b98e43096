// A stencil of nine points, one row for each thread.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 4096
#endif

int main(void)
{
    float *restrict a = malloc(sizeof(float) * N * N), *restrict b = malloc(sizeof(float) * N * N);
    for (int k = 0; k < N * N; k++) {
        a[k] = (float)(k % 5 - 2);
        b[k] = 0;
    }
    double seconds = 0;
    #pragma omp target data map(to: a[0:N * N]) map(tofrom: b[0:N * N])
    for (int round = 0; round < 3; round++) {
        double begin = omp_get_wtime();
        #pragma omp target teams distribute parallel for map(to: a[0:N * N]) map(tofrom: b[0:N * N])
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                b[i * N + j] = a[(i - 1) * N + j - 1] + 2 * a[(i - 1) * N + j] - a[(i - 1) * N + j + 1] + 3 * a[i * N + j - 1]
                    - 2 * a[i * N + j] + a[i * N + j + 1] - a[(i + 1) * N + j - 1] + 4 * a[(i + 1) * N + j] + a[(i + 1) * N + j + 1];
        if (round > 0)
            seconds += omp_get_wtime() - begin;
    }
    double sum = 0;
    for (int k = 0; k < N * N; k++)
        sum += b[k] * (1 + k % 4);
    printf("%.0f\n", sum);
    fprintf(stderr, "seconds %.9f\n", seconds / 2);
    free(a);
    free(b);
    return 0;
}
