// The first kernel fills all of tmp, which was copied to the device for that.
// judge: same (nothing is lost)
#include <stdio.h>
#include <stdlib.h>

static void smooth(int n, double *v, double *tmp)
{
    #pragma omp target data map(tofrom: v[0:n]) map(to: tmp[0:n]) // finds: dead-copy-in tmp
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            tmp[i] = v[i];
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < n - 1; i++)
            v[i] = tmp[i - 1] + tmp[i] + tmp[i + 1];
    }
}

int main(void)
{
    double v[90], tmp[90] = {0};
    for (int i = 0; i < 90; i++)
        v[i] = i % 5;
    smooth(90, v, tmp);
    printf("%g %g\n", v[1], v[88]);
    return 0;
}
