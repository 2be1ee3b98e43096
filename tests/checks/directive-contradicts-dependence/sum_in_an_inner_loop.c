// Shows: all iterations add to one mapped scalar in a loop of their own, without a reduction.
// judge: race
#include <stdio.h>

int main(void)
{
    static int m[40][50];
    int sum = 0;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++)
            m[i][j] = (i + j) % 4;
    #pragma omp target teams distribute parallel for map(to: m) map(tofrom: sum) // finds: directive-contradicts-dependence sum
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++)
            sum += m[i][j];
    printf("%d\n", sum);
    return 0;
}
