// saxpy_right: figure 2(b) of the DawnCC paper as it should be.
// wrong: nothing
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

void kernel_saxpy(int n, float alpha, float *x, float *y)
{
    int length = n > 0 ? n : 0;

#pragma omp target teams distribute parallel for map(to: x[0:length]) map(tofrom: y[0:length])
    for (int i = 0; i < n; i++)
        y[i] = alpha * x[i] + y[i];
}

int main(void)
{
    float *x = malloc(N * sizeof(float));
    float *y = malloc(N * sizeof(float));
    if (!x || !y)
        return 1;
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 100.0f;
    }
    kernel_saxpy(N, 2.0f, x, y);
    for (int i = 0; i < N; i++)
        printf("%g\n", y[i]);
    free(x);
    free(y);
    return 0;
}
