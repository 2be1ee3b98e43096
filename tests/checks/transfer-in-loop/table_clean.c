// The table is there before the loop.
#include <stdio.h>

int main(void)
{
    int table[200], sum;
    for (int i = 0; i < 200; i++)
        table[i] = i % 13;
    #pragma omp target data map(to: table)
    for (int k = 1; k < 6; k++) {
        sum = 0;
        #pragma omp target teams distribute parallel for map(tofrom: sum) map(to: table) reduction(+: sum)
        for (int i = 0; i < 200; i++)
            sum += table[i] % k;
        printf("%d\n", sum);
    }
    return 0;
}
