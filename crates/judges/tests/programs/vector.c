/* Two heap arrays, one kernel. MAP is what a test plants. */
#include <stdio.h>
#include <stdlib.h>

#ifndef MAP
#define MAP map(to: x[0:n]) map(tofrom: y[0:n])
#endif

static void kernel_saxpy(int n, int alpha, const int *restrict x, int *restrict y) {
#pragma omp target teams distribute parallel for MAP
    for (int i = 0; i < n; i++) y[i] = alpha * x[i] + y[i];
}

int main(void) {
    int n = 1001;
    int *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 3 * i + 1;
    }
    kernel_saxpy(n, 5, x, y);
    long sum = 0;
    for (int i = 0; i < n; i++) sum += (2 * i + 1) * (long)y[i];
    printf("%ld %d %d\n", sum, y[0], y[n - 1]);
    free(x);
    free(y);
    return 0;
}
