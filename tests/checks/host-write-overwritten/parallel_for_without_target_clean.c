// Shows: the loop has target: it runs on the device's copy of y, which comes back.
#include <stdio.h>
#include <stdlib.h>

static void saxpy(int n, double a, const double *x, double *y)
{
    #pragma omp target data map(to: x[0:n]) map(tofrom: y[0:n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            y[i] = a * x[i] + y[i];
    }
}

int main(void)
{
    int n = 75;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 100;
    }
    saxpy(n, 2, x, y);
    for (int i = 0; i < n; i++)
        printf("%g\n", y[i]);
    free(x);
    free(y);
    return 0;
}
