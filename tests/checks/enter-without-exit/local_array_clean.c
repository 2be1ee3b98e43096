// Shows: the function ends the environment of its array.
#include <stdio.h>

static int average(int from)
{
    int local[32], sum = 0;
    for (int i = 0; i < 32; i++)
        local[i] = from + i;
    #pragma omp target enter data map(to: local)
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < 32; i++)
        sum += local[i];
    #pragma omp target exit data map(delete: local)
    return sum;
}

int main(void)
{
    for (int k = 0; k < 4; k++)
        printf("%d\n", average(100 * k));
    return 0;
}
