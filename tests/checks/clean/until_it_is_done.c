// Shows: a loop without a condition is left by a jump only, and before the jump the data come back.
#include <stdio.h>

int main(void)
{
    static int a[100];
    int steps = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i;
    #pragma omp target data map(to: a)
    {
        while (1) {
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < 100; i++)
                a[i] += 1;
            if (++steps >= 10) {
                #pragma omp target update from(a)
                break;
            }
        }
        printf("%d\n", a[3]);
    }
    return 0;
}
