// Shows: the loop lacks target: it runs on the host, and the copy of y at the end of the environment destroys its result.
#include <stdio.h>
#include <stdlib.h>

static void saxpy(int n, double a, const double *x, double *y)
{
    #pragma omp target data map(to: x[0:n]) map(tofrom: y[0:n])
    {
        #pragma omp parallel for
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
        printf("%g\n", y[i]); // finds: host-write-overwritten y
    free(x);
    free(y);
    return 0;
}
