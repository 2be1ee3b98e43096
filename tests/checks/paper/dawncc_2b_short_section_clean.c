// Shows: DawnCC figure 2(b) as it should be: the length of the sections is max(n, 0).
#include <stdio.h>
#include <stdlib.h>

static void saxpy(int n, float alpha, float *x, float *y)
{
    int upper = n > 0 ? n : 0;
    #pragma omp target data map(to: x[0:upper]) map(tofrom: y[0:upper])
    {
        #pragma omp target teams distribute parallel for
        for (int k = 0; k < n; k++)
            y[k] = alpha * x[k] + y[k];
    }
}

int main(void)
{
    int n = 37;
    float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    for (int k = 0; k < n; k++) {
        x[k] = k;
        y[k] = 100;
    }
    saxpy(n, 2, x, y);
    for (int k = 0; k < n; k++)
        printf("%g\n", y[k]);
    free(x);
    free(y);
    return 0;
}
