// C = 2 C + 3 A B, one row of C for each thread: IPDA figure 8.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1024
#endif

int main(void)
{
    float *a = malloc(sizeof(float) * N * N), *b = malloc(sizeof(float) * N * N), *c = malloc(sizeof(float) * N * N);
    for (int k = 0; k < N * N; k++) {
        a[k] = (float)(k % 3 - 1);
        b[k] = (float)(k % 5 - 2);
        c[k] = (float)(k % 7);
    }
    double seconds = 0;
    #pragma omp target data map(to: a[0:N * N], b[0:N * N]) map(tofrom: c[0:N * N])
    for (int round = 0; round < 3; round++) {
        double begin = omp_get_wtime();
        #pragma omp target teams distribute parallel for map(to: a[0:N * N], b[0:N * N]) map(tofrom: c[0:N * N])
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                c[i * N + j] = 0;
                for (int k = 0; k < N; k++)
                    c[i * N + j] += a[i * N + k] * b[k * N + j];
            }
        if (round > 0)
            seconds += omp_get_wtime() - begin;
    }
    double sum = 0;
    for (int k = 0; k < N * N; k++)
        sum += c[k] * (1 + k % 4);
    printf("%.0f\n", sum);
    fprintf(stderr, "seconds %.9f\n", seconds / 2);
    free(a);
    free(b);
    free(c);
    return 0;
}
