// Shows: a small table is firstprivate: each kernel gets the host's current values without a mapping.
#include <stdio.h>

int main(void)
{
    int out[32], table[4] = {1, 2, 3, 4};
    for (int round = 0; round < 3; round++) {
        #pragma omp target teams distribute parallel for firstprivate(table) map(from: out)
        for (int i = 0; i < 32; i++)
            out[i] = table[i % 4] * i;
        for (int k = 0; k < 4; k++)
            table[k] *= 2;
        printf("%d %d\n", out[31], table[3]);
    }
    return 0;
}
