// Shows: the host fetches what the device wrote before it changes a part and moves all of it back.
#include <stdio.h>

int main(void)
{
    static float f[120], sum[120];
    for (int i = 0; i < 120; i++)
        f[i] = 0.5f * i;
    #pragma omp target data map(to: f) map(from: sum)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 120; i++)
            f[i] = f[i] + 3;
        #pragma omp target update from(f)
        for (int i = 0; i < 4; i++)
            f[i] = -1;
        #pragma omp target update to(f)
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 120; i++)
            sum[i] = f[i] * 2;
    }
    for (int i = 0; i < 120; i++)
        printf("%g\n", sum[i]);
    return 0;
}
