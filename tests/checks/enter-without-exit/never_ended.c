// Shows: the environment of a is entered and never left: the device keeps its memory.
// judge: same (the memory stays allocated on the device, no value is wrong)
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 60, sum = 0, *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:n]) // finds: enter-without-exit a
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += a[i];
    printf("%d\n", sum);
    return 0;
}
