// copyin does not bring a back.
#include <stdio.h>

int main(void)
{
    int a[45], sum = 0;
    for (int i = 0; i < 45; i++)
        a[i] = i;
    #pragma acc parallel loop copyin(a) reduction(+: sum)
    for (int i = 0; i < 45; i++)
        sum += a[i];
    printf("%d %d\n", sum, a[44]);
    return 0;
}
