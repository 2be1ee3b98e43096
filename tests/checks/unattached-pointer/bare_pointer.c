// Shows: a pointer is mapped as it is, beside the array that it leads to.
#include <stdio.h>

int main(void)
{
    int a[40], *middle = a + 20, sum = 0;
    for (int i = 0; i < 40; i++)
        a[i] = i;
    #pragma omp target map(to: a, middle) map(tofrom: sum)
    for (int i = 0; i < 20; i++)
        sum += middle[i]; // finds: unattached-pointer middle
    printf("%d\n", sum);
    return 0;
}
