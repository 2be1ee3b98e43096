// Shows: the function returns in the middle for short input and leaves its data on the device.
// judge: same (the memory stays allocated on the device, no value is wrong)
#include <stdio.h>
#include <stdlib.h>

static int norm(const int *v, int n)
{
    int sum = 0;
    #pragma omp target enter data map(to: v[0:n]) // finds: enter-without-exit v
    if (n < 100)
        return -1;
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    #pragma omp target exit data map(delete: v[0:n])
    return sum;
}

int main(void)
{
    int few[50], many[200];
    for (int i = 0; i < 50; i++)
        few[i] = i;
    for (int i = 0; i < 200; i++)
        many[i] = i % 3;
    int small = norm(few, 50), large = norm(many, 200);
    printf("%d %d\n", small, large);
    return 0;
}
