// The function that a loop calls maps both arrays each time.
// judge: same (nothing is lost)
#include <stdio.h>
#include <stdlib.h>

static void step(int n, const double *x, double *y)
{
    #pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n]) // finds: transfer-in-loop x; transfer-in-loop y
    for (int i = 0; i < n; i++)
        y[i] = y[i] + x[i];
}

int main(void)
{
    int n = 64;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 0;
    }
    for (int t = 0; t < 8; t++)
        step(n, x, y);
    printf("%g\n", y[63]);
    free(x);
    free(y);
    return 0;
}
