// Shows: a pointer that no clause names leads to the array on the device.
#include <stdio.h>

int main(void)
{
    int a[40], *middle = a + 20, sum = 0;
    for (int i = 0; i < 40; i++)
        a[i] = i;
    #pragma omp target map(to: a) map(tofrom: sum)
    for (int i = 0; i < 20; i++)
        sum += middle[i];
    printf("%d\n", sum);
    return 0;
}
