// The loop covers the array from end to end, and leaves every second element.
#include <stdio.h>

int main(void)
{
    int w[41];
    for (int i = 0; i < 41; i++)
        w[i] = 100 + i;
    #pragma omp target teams distribute parallel for map(tofrom: w)
    for (int i = 0; i < 41; i += 2)
        w[i] = i;
    printf("%d %d\n", w[39], w[40]);
    return 0;
}
