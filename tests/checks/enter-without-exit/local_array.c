// Shows: the array of the function stays mapped when it dies; the next call finds the old one on the device.
#include <stdio.h>

static int average(int from)
{
    int local[32], sum = 0;
    for (int i = 0; i < 32; i++)
        local[i] = from + i;
    #pragma omp target enter data map(to: local) // finds: enter-without-exit local
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < 32; i++)
        sum += local[i];
    return sum;
}

int main(void)
{
    for (int k = 0; k < 4; k++)
        printf("%d\n", average(100 * k));
    return 0;
}
