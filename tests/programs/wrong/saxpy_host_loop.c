// saxpy_host_loop: the first fault of figure 2(b) of the DawnCC paper.
// wrong: the loop runs on the host inside the data environment, and the copy of y that comes back at its end overwrites the result
// finding: host write overwritten by copy-back
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 37
#endif

void kernel_saxpy(int n, float alpha, float *x, float *y)
{
#pragma omp target data map(to: x[0:n]) map(tofrom: y[0:n])
    {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            y[i] = alpha * x[i] + y[i];
    }
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
