// The coefficients are set before the loop, and updated in each iteration.
// judge: same (nothing is lost)
#include <stdio.h>

int main(void)
{
    double c[16] = {0}, v[16];
    for (int i = 0; i < 16; i++)
        v[i] = i;
    #pragma omp target data map(alloc: c) map(tofrom: v)
    {
        for (int i = 0; i < 16; i++)
            c[i] = i + 1;
        for (int t = 0; t < 5; t++) {
            #pragma omp target update to(c) // finds: transfer-in-loop c
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < 16; i++)
                v[i] += c[i];
        }
    }
    printf("%g %g\n", v[0], v[15]);
    return 0;
}
