// The host exchanges the outer elements in every step: both updates are needed.
#include <stdio.h>

int main(void)
{
    int v[32], w[32];
    for (int i = 0; i < 32; i++)
        v[i] = w[i] = i;
    #pragma omp target data map(tofrom: v) map(to: w)
    for (int t = 0; t < 4; t++) {
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < 31; i++)
            w[i] = v[i - 1] + v[i + 1];
        #pragma omp target teams distribute parallel for
        for (int i = 1; i < 31; i++)
            v[i] = w[i];
        #pragma omp target update from(v[1:1])
        #pragma omp target update from(v[30:1])
        v[0] = v[30];
        v[31] = v[1];
        #pragma omp target update to(v[0:1])
        #pragma omp target update to(v[31:1])
    }
    printf("%d %d %d\n", v[0], v[15], v[31]);
    return 0;
}
