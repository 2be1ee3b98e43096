// The host changes the factor in every step; always brings it.
#include <stdio.h>

int main(void)
{
    int factor[2] = {1, 2}, v[30];
    for (int i = 0; i < 30; i++)
        v[i] = i;
    #pragma omp target data map(alloc: factor) map(tofrom: v)
    for (int t = 0; t < 5; t++) {
        factor[0] = t + 1;
        #pragma omp target teams distribute parallel for map(always, to: factor)
        for (int i = 0; i < 30; i++)
            v[i] = v[i] * factor[1] + factor[0];
    }
    printf("%d\n", v[29]);
    return 0;
}
