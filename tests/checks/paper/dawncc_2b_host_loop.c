// Shows: DawnCC figure 2(b), first defect: the loop inside of target data has no target and runs on the host.
#include <stdio.h>

enum { N = 8 };

static void saxpy(int n, float alpha, float *x, float *y)
{
    int upper = n > 0 ? n : 0;
    #pragma omp target data map(to: x[0:upper]) map(tofrom: y[0:upper])
    {
        #pragma omp parallel for
        for (int k = 0; k < n; k++)
            y[k] = alpha * x[k] + y[k];
    }
}

int main(void)
{
    float x[N], y[N];
    for (int k = 0; k < N; k++) {
        x[k] = k;
        y[k] = 100;
    }
    saxpy(N, 2, x, y);
    for (int k = 0; k < N; k++)
        printf("%g\n", y[k]); // finds: host-write-overwritten y
    return 0;
}
